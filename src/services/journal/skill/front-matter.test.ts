// What we write at the head of a skill is what a YAML reader reads there, and what others wrote is read or refused.
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { describeContent, makeFrontMatter, readExtras, readFrontMatter, writeSkillFile } from './front-matter.ts';

const odd = [
  'Plain words.',
  'With: a colon',
  'a # comment',
  '- list',
  'true',
  'No',
  'null',
  '~',
  '12',
  '1e3',
  '"quoted"',
  "it's",
  'back\\slash',
  'two\nlines\r\nand\ttabs',
  'ends with space ',
  '{brace}',
  '[bracket]',
  '&anchor *alias !tag %x @y `z`',
  'ünï – 漢字 🦭',
  '\u2028 \u0007 \u0085',
  '---',
  'a\n---\nb',
];

describe('what we write', () => {
  it.each(odd)('is read back unchanged: %j', async (text) => {
    const front = makeFrontMatter({ name: 'a', description: text, version: text, tags: [text, 'b'] });
    const file = writeSkillFile('Content.\n', { front });
    expect(await readFrontMatter(file, 'content')).toEqual(front);
    expect(parse(/^---\n([\s\S]*?)\n---\n/.exec(file)?.[1] ?? '')).toEqual(front);
    expect(file.endsWith('---\n\nContent.\n')).toBe(true);
  });
});

describe('existing front matter', () => {
  it('is not a rule between paragraphs', async () => {
    for (const text of [
      '---\n\nText.\n\n---\nMore.',
      '---\nText',
      'Text\n---\nname: a\n---\n',
      '--- x\nname: a\n---\n',
    ]) {
      expect(await readFrontMatter(text, 'content')).toBeUndefined();
    }
  });

  it('is read with comments, lists, blocks and line ends of every kind', async () => {
    const text =
      '\uFEFF---\r\n# first\r\nname: a-b\r\ndescription: |\r\n  One\r\n  two\r\ntags: [x, "y z"]\r\nversion: 2\r\nlist:\r\n  - 1\r\n  - b: null\r\n---  \r\nText';
    const front = await readFrontMatter(text, 'content');
    expect(front).toEqual({
      name: 'a-b',
      description: 'One\ntwo\n',
      tags: ['x', 'y z'],
      version: 2,
      list: [1, { b: null }],
    });
    expect(front && readExtras(front)).toEqual({ version: '2', tags: ['x', 'y z'] });
  });

  it.each([
    ['no YAML', 'name: a\ndescription: "x'],
    ['a key twice', 'name: a\nname: b\ndescription: x'],
    ['no name', 'description: x'],
    ['a name with capitals', 'name: A\ndescription: x'],
    ['no description', 'name: a'],
    ['an empty description', 'name: a\ndescription: " "'],
    ['a long description', `name: a\ndescription: ${'x'.repeat(1_025)}`],
    ['a circle', 'name: a\ndescription: x\nloop: &a [*a]'],
    ['a bomb', `name: a\ndescription: x\na: &a [x,x,x,x]\n${bomb()}`],
    ['too deep', `name: a\ndescription: x\ny: ${'['.repeat(10_000)}`],
  ])('is refused with %s', async (_, front) => {
    await expect(readFrontMatter(`---\n${front}\n---\nText`, 'arguments.content')).rejects.toMatchObject({
      word: 'invalid_input',
      details: { path: 'arguments.content' },
    });
  });
});

function bomb(): string {
  const names = 'abcdefghij'.split('');
  return names
    .slice(1)
    .map((name, at) => `${name}: &${name} [${Array.from({ length: 8 }, () => `*${names[at]}`).join(',')}]`)
    .join('\n');
}

it.each([
  ['# Release\n\nPush the tag and wait for it. Then more.\n', 'Push the tag and wait for it.'],
  ['# Release the package\n\n1. Push\n2. Wait\n', 'Release the package'],
  ['```sh\nmake\n```\n', 'make'],
  ['- a\n- b\n', 'rotate keys'],
])('is described by its content: %j', (content, description) => {
  expect(describeContent(content, 'rotate-keys')).toBe(description);
});
