// What the ranking reads from files, paths and questions.
import { expect, it } from 'vitest';
import { findMentions } from './mention.ts';
import { outline } from './outline.ts';
import { Paths } from './paths.ts';
import { readQuestion } from './question.ts';
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

it('knows a file by the end of its path, and by the module that it is', () => {
  const paths = new Paths(['app/http/header.py', 'app/mail/header.py', 'app/http/__init__.py']);
  const named = (found: [number, number][]) => found.map(([at]) => paths.all[at]?.path);
  expect(named(paths.matchPath({ path: 'usr/site/app/http/header.py', weight: 1 }))).toEqual(['app/http/header.py']);
  expect(named(paths.matchModule(['app', 'http', 'header', 'Header']))).toEqual(['app/http/header.py']);
  expect(named(paths.matchModule(['app', 'http', 'Session']))).toEqual(['app/http/__init__.py']);
});

it('leaves out what a form says', () => {
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
])('tells whether %s is a test', (path, expected) => {
  expect(isTest(path)).toBe(expected);
});

it.each([
  ['a'.repeat(20_000)],
  ['\n'.repeat(20_000)],
  ['a::'.repeat(6_000)],
  ['File "'.repeat(3_000)],
  ['a/'.repeat(10_000)],
  ['`a'.repeat(10_000)],
])('reads any question, and in time', (text) => {
  expect(readQuestion(`Title\n${text}`).titleTerms.size).toBe(1);
});
