// What the ranking reads from files, paths and questions.
import { expect, it } from 'vitest';
import { measureFiles } from './features.ts';
import { History, readChanges, recall } from './history.ts';
import { findMentions } from './mention.ts';
import { outline } from './outline.ts';
import { Paths } from './paths.ts';
import { readBeginning } from './prose.ts';
import { readQuestion } from './question.ts';
import { rankFiles } from './rank.ts';
import { isTest } from './source.ts';

it.each([
  [
    'a.py',
    'class A:\n    def b(self):\n        pass\n\n    c = 1\n\ndef d():\n    pass\n',
    ['A 1-5', 'b 2-3', 'd 7-8'],
  ],
  ['a.ts', 'export function a(\n  x: number,\n): void {\n  b();\n}\n\nexport const c = () => 1;\n', ['a 1-5', 'c 7-7']],
  ['a.go', 'func (s *S) Run(x int) {\n\tgo x()\n}\n\ntype T struct {\n\tA int\n}\n', ['Run 1-3', 'T 5-7']],
  ['a.rb', 'class A\n  def self.b?\n    1\n  end\nend\n', ['A 1-5', 'b? 2-4']],
  ['a.c', 'static int\nrun(int x)\n{\n  return x;\n}\n', ['run 2-5']],
  ['a.txt', 'def x', []],
])('outlines %s', (path, text, expected) => {
  expect(outline(path, text).map(({ name, start, end }) => `${name} ${start}-${end}`)).toEqual(expected);
});

it('finds what a question names', () => {
  const { paths, names, modules } = findMentions(
    'Wrong result of `parse_header`',
    'Traceback\n  File "/usr/lib/site/app/http/header.py", line 3, in parse_header\nsee app.http.header.Header and src\\win\\x.ts',
  );
  expect(paths.map(({ path }) => path)).toEqual(['usr/lib/site/app/http/header.py', 'src/win/x.ts']);
  expect(names.find(({ name }) => name === 'parse_header')?.weight).toBe(1);
  expect(modules.map(({ parts }) => parts)).toContainEqual(['app', 'http', 'header', 'Header']);
});

it('finds a file by the end of its path and by its module name', () => {
  const paths = new Paths(['app/http/header.py', 'app/mail/header.py', 'app/http/__init__.py']);
  const named = (found: [number, number][]) => found.map(([at]) => paths.all[at]?.path);
  expect(named(paths.matchPath({ path: 'usr/site/app/http/header.py', weight: 1 }))).toEqual(['app/http/header.py']);
  expect(named(paths.matchModule(['app', 'http', 'header', 'Header']))).toEqual(['app/http/header.py']);
  expect(named(paths.matchModule(['app', 'http', 'Session']))).toEqual(['app/http/__init__.py']);
});

it('ignores the text of issue templates', () => {
  const { terms } = readQuestion('Crash\n<!-- Please describe -->\n### Environment\n- [x] I searched\nsockets leak');
  expect([...terms.keys()]).toEqual(['crash', 'socket', 'leak']);
});

it.each([
  ['tests/a.py', true],
  ['django/test/client.py', false],
  ['src/test/java/A.java', true],
  ['pkg/a_test.go', true],
  ['src/a.test.ts', true],
  ['src/_pytest/doctest.py', false],
  ['src/latest.ts', false],
])('detects whether %s is a test', (path, expected) => {
  expect(isTest(path)).toBe(expected);
});

it.each([
  ['a'.repeat(20_000)],
  ['\n'.repeat(20_000)],
  ['a::'.repeat(6_000)],
  ['File "'.repeat(3_000)],
  ['a/'.repeat(10_000)],
  ['`a'.repeat(10_000)],
  ['at a('.repeat(4_000)],
  ['at a/b'.repeat(3_000)],
  ['#1 a'.repeat(5_000)],
  ['a.rb:1'.repeat(3_000)],
])('reads any question, and in time', (text) => {
  expect(readQuestion(`Title\n${text}`).titleTerms.size).toBe(1);
});

it('reads how a report begins, without code, output and addresses', () => {
  const report = [
    'Saving fails since https://example.org/sockets',
    '```',
    'fenced()',
    '```',
    '>>> prompt()',
    '    indented()',
    'from a import b',
    'Traceback (most recent call last):',
    '  File "x.py", line 1, in f',
    'ValueError: no',
    'whenever the disk is full.',
  ];
  expect(readBeginning(report.join('\n')).split('\n')).toEqual(['Saving fails since  ', 'whenever the disk is full.']);
  expect(readBeginning('word '.repeat(1_000))).toHaveLength(600);
});

const log = [
  '\x01Mend expiry of sockets\n\nReviewed-by: Pooler\n\x02\0\nsrc/net.ts\0src/net.test.ts\0docs/net.md\0',
  `\x01Move all sockets\n\x02\0\n${Array.from({ length: 20 }, (_, at) => `src/${at}.ts`).join('\0')}\0`,
  '\x01Begin\n\x02\0\nsrc/main.ts\0',
].join('');

it('finds sources by their commit messages, if few files changed together', () => {
  const changes = readChanges(log);
  expect(changes.map(({ paths }) => paths.length)).toEqual([3, 20, 1]);
  const history = new History(changes);
  const find = (text: string) => [...history.score(readQuestion(text).terms).keys()];
  expect(find('sockets expire')).toEqual(['src/net.ts']);
  expect(find('begin')).toEqual(['src/main.ts']);
  expect(find('pooler')).toEqual([]);
});

it('prefers the innermost frame in the repository', () => {
  const paths = new Paths(['app/main.py', 'app/http/header.py', 'app/other.py', 'net/Pool.java', 'net/Main.java']);
  const order = (lines: readonly string[]) => {
    const question = readQuestion(`Crash\n${lines.join('\n')}`);
    const empty = { words: new Map(), titleWords: new Map(), parts: new Map(), definitions: new Map() };
    const found = [...measureFiles(question, { paths, ...empty })].filter(([, { frame }]) => frame > 0);
    return found.sort((a, b) => b[1].frame - a[1].frame).map(([at]) => paths.all[at]?.path);
  };
  const python = ['/x/app/main.py', '/x/app/http/header.py', '/usr/lib/json/other.py'];
  expect(order(python.map((path) => `  File "${path}", line 3, in f`))).toEqual(['app/http/header.py', 'app/main.py']);
  const java = [
    '  at java.util.List.get(List.java:1)',
    '  at net.Pool.take(Pool.java:7)',
    '  at net.Main.main(Main.java:2)',
  ];
  expect(order(java)).toEqual(['net/Pool.java', 'net/Main.java']);
});

it.each([
  [
    'JavaScript',
    ['    at emit (/x/node_modules/@app/gen/lib/map.js:3:7)', '    at file:///x/src/main.ts:1:2'],
    ['gen/src/map.ts', 'src/main.ts'],
  ],
  [
    'Go',
    ['main.run()', '\t/go/src/tsdb/head.go:12 +0x1d', '\t/go/src/cmd/run.go:3 +0x2'],
    ['tsdb/head.go', 'cmd/run.go'],
  ],
  [
    'Ruby',
    ["/gems/a-1.0/lib/a/load.rb:4:in `load'", "/gems/a-1.0/lib/a/top.rb:9:in `run'"],
    ['lib/a/load.rb', 'lib/a/top.rb'],
  ],
  [
    'PHP',
    ['#0 /var/app/src/Db/Pool.php(12): take()', '#1 /var/app/src/Db/Main.php(2): run()'],
    ['src/Db/Pool.php', 'src/Db/Main.php'],
  ],
])('reads a stack trace of %s, innermost first', (_, lines, expected) => {
  const paths = new Paths(['other/index.ts', ...expected.toReversed()]);
  const question = readQuestion(`Crash\n${lines.join('\n')}`);
  const empty = { words: new Map(), titleWords: new Map(), parts: new Map(), definitions: new Map() };
  const found = [...measureFiles(question, { paths, ...empty })].filter(([, { frame }]) => frame > 0);
  expect(found.sort((a, b) => b[1].frame - a[1].frame).map(([at]) => paths.all[at]?.path)).toEqual(expected);
});

it('names the entry file of a package by its folder', () => {
  const [entry] = new Paths(['packages/plugin-react/src/index.ts', 'lib/index.js']).all;
  expect(entry?.nameTerms).toContain('react');
});

it('prefers results that commits describe with the same words', () => {
  const paths = new Paths(['src/main.ts', 'src/net.ts', 'src/other.ts']);
  const question = readQuestion('sockets expire');
  const same = new Map([
    [0, 1],
    [1, 1],
  ]);
  const evidence = { paths, words: same, titleWords: same, parts: new Map(), definitions: new Map() };
  const order = (past?: ReturnType<typeof recall>) =>
    rankFiles(question, { ...evidence, past }).map(({ path }) => path);
  expect(order()).toEqual(['src/main.ts', 'src/net.ts']);
  expect(order(recall(new History(readChanges(log)), question, paths))).toEqual(['src/net.ts', 'src/main.ts']);
});

it('findMentions: limits the depth of dotted names', () => {
  const { modules } = findMentions('a.b.'.repeat(5_000), '');
  expect(Math.max(...modules.map(({ parts }) => parts.length))).toBeLessThanOrEqual(41);
});
