// Each language finds the definitions, imports and calls of a small text in it, with the grammar that ships.
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createCodeParser } from '../parse/parser.ts';
import { languageOf, languages } from './languages.ts';

const parser = createCodeParser();

async function read(path: string, text: string) {
  const language = languageOf(path);
  if (!language) throw new Error(`no language reads ${path}`);
  const facts = await (await parser).parse(text, language);
  return {
    symbols: facts?.symbols.map(({ kind, qualified }) => `${kind} ${qualified}`) ?? [],
    imports: facts?.links.imports.map(({ from }) => from) ?? [],
    calls: facts?.links.calls.map(([, name]) => name) ?? [],
  };
}

const texts: [path: string, text: string, symbols: string[], imports: string[], calls: string[]][] = [
  [
    'a.ts',
    "import { eat } from './b.ts';\nexport class A {\n  go() { eat(); }\n}\ntype T = 1;\n",
    ['class A', 'method A.go', 'type T'],
    ['./b.ts'],
    ['eat'],
  ],
  ['a.tsx', 'const App = () => <Menu />;\n', ['function App'], [], ['Menu']],
  [
    'a.js',
    "const fs = require('fs');\nexports.run = function () { fs.go(); };\n",
    ['constant fs', 'function run'],
    ['fs'],
    ['require', 'go'],
  ],
  [
    'a.py',
    'from .b import eat\nclass A(B):\n    def go(self):\n        eat()\n',
    ['class A', 'method A.go'],
    ['.b'],
    ['eat'],
  ],
  [
    'a.go',
    'package a\nimport "x/y"\ntype T struct{}\nfunc (t *T) Go() { y.Run() }\nvar _ = 1\n',
    ['class T', 'method T.Go'],
    ['x/y'],
    ['Run'],
  ],
  [
    'a.rs',
    'use crate::b::C;\ncfg! {\n  pub struct S;\n}\nimpl S {\n  fn go(&self) { run(); }\n}\n',
    ['class S', 'method S.go'],
    ['crate::b::C'],
    ['cfg', 'run'],
  ],
  [
    'A.java',
    'import a.b.C;\nclass A {\n  int n;\n  void go() { run(); }\n}\n',
    ['class A', 'field A.n', 'method A.go'],
    ['a.b.C'],
    ['run'],
  ],
  [
    'a.c',
    '#include "b.h"\nstruct s { int n; };\nchar *go(void) { return run(); }\n',
    ['class s', 'function go'],
    ['b.h'],
    ['run'],
  ],
  [
    'a.cpp',
    '#include <b>\nnamespace n {\nclass A { void go() {} };\n}\nvoid n::A::run() { go(); }\n',
    ['module n', 'class n.A', 'method n.A.go', 'method n.A.run'],
    ['b'],
    ['go'],
  ],
  [
    'a.cs',
    'using System;\nnamespace N { class A { void Go() { Run(); } } }\n',
    ['class N.A', 'method N.A.Go'],
    ['System'],
    ['Run'],
  ],
  [
    'a.rb',
    "require 'b'\nmodule M\n  class A\n    def go\n      run(1)\n    end\n  end\nend\n",
    ['module M', 'class M.A', 'method M.A.go'],
    ['b'],
    ['require', 'run'],
  ],
  [
    'a.php',
    '<?php\nuse A\\B;\nclass C {\n  function go() { run(); }\n}\n',
    ['class C', 'method C.go'],
    ['A\\B'],
    ['run'],
  ],
  ['a.kt', 'import a.B\nclass A {\n  fun go() { run() }\n}\n', ['class A', 'method A.go'], ['a.B'], ['run']],
  [
    'a.swift',
    'import Foundation\nstruct A {\n  func go() { run() }\n}\n',
    ['class A', 'method A.go'],
    ['Foundation'],
    ['run'],
  ],
  ['a.sh', 'source ./b.sh\ngo() {\n  run\n}\n', ['function go'], ['./b.sh'], ['source', 'run']],
  ['a.json', '{"name": {"inner": 1}}\n', ['field name'], [], []],
  ['a.yaml', 'name: 1\nother:\n  inner: 2\n', ['field name', 'field other'], [], []],
  ['a.toml', 'top = 1\n[tool.x]\ny = 1\n', ['field top', 'field tool.x'], [], []],
  ['a.html', '<p id="there"><script src="a.js"></script></p>\n', ['field there'], ['a.js'], []],
  ['a.css', '@import "b.css";\n.menu { color: red }\n', ['field .menu'], ['b.css'], []],
  ['a.md', '# Top\n\n## Inner\n\ntext\n', ['heading Top', 'heading Top.Inner'], [], []],
];

describe('languages', () => {
  it.each(texts)('%s', async (path, text, symbols, imports, calls) => {
    expect(await read(path, text)).toEqual({ symbols, imports, calls });
  });

  it.each<[path: string, text: string, symbols: string[]]>([
    [
      'several-names.py',
      'a = b = 1\nc, d = 1, 2\nclass A:\n    e = f = 1\n    g, h = 1, 2\n',
      [...'abcd']
        .map((name) => `constant ${name}`)
        .concat(
          ['class A'],
          [...'efgh'].map((name) => `field A.${name}`),
        ),
    ],
    [
      'under-conditions.py',
      'if x:\n    a, b = 1, 2\nelif y:\n    c = 1\nelse:\n    d = 1\ntry:\n    e = 1\nexcept E:\n    f = 1\nelse:\n    g = 1\nwith x:\n    h = 1\nfor i in x:\n    j = 1\n',
      [...'abcdefgh'].map((name) => `constant ${name}`),
    ],
    ['Several.java', 'class A {\n  int a, b;\n}\n', ['class A', 'field A.a', 'field A.b']],
    [
      'several.go',
      'package a\nconst A, B = 1, 2\nvar c, d = 1, 2\n',
      ['constant A', 'constant B', 'variable c', 'variable d'],
    ],
    ['enum.rs', 'enum E {\n  One,\n  Two(u8),\n}\n', ['enum E', 'constant E.One', 'constant E.Two']],
    ['enum.ts', 'enum E {\n  One,\n  Two = 2,\n}\n', ['enum E', 'constant E.One', 'constant E.Two']],
    [
      'taken-apart.ts',
      'const { min, max: most, ...rest } = Math;\nconst [first] = list;\nexport const { named } = it;\nlet ready = 1;\n',
      ['constant min', 'constant most', 'constant rest', 'constant first', 'constant named', 'variable ready'],
    ],
  ])('names each on its own: %s', async (path, text, symbols) => {
    expect((await read(path, text)).symbols).toEqual(symbols);
  });

  it('are all tried here, and have a grammar that ships', () => {
    expect(new Set(texts.map(([path]) => languageOf(path)?.name))).toEqual(new Set(languages.map(({ name }) => name)));
    const shipped = readdirSync(new URL('../../../../../assets/grammars/', import.meta.url)).map((name) =>
      name.replace('.wasm.br', ''),
    );
    expect(shipped.sort()).toEqual([...new Set(languages.map(({ grammar }) => grammar))].sort());
  });
});
