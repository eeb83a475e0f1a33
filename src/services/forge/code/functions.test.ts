// Which functions of a file become tools, and with which arguments.
import { expect, it } from 'vitest';
import { readDocstring } from './doc-text.ts';
import { findScriptFunctions } from './script.ts';
import { readType } from './type-text.ts';

it.each<[string, unknown]>([
  ['str', { type: 'string' }],
  ['Optional[int]', { type: ['integer', 'null'] }],
  ['int | None', { type: ['integer', 'null'] }],
  ["Literal['a', 'b', 3]", { enum: ['a', 'b', 3] }],
  ['list[dict[str, float]]', { type: 'array', items: { type: 'object', additionalProperties: { type: 'number' } } }],
  ['typing.List[str]', { type: 'array', items: { type: 'string' } }],
  ['Union[str, list[str]]', { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }],
  ['string[]', { type: 'array', items: { type: 'string' } }],
  ["'a' | 'b'", { enum: ['a', 'b'] }],
  ['("a"|"b")', { enum: ['a', 'b'] }],
  ['Array<string | number>', { type: 'array', items: { type: ['string', 'number'] } }],
  ['Record<string, boolean>', { type: 'object', additionalProperties: { type: 'boolean' } }],
  ['?string', { type: ['string', 'null'] }],
  ['number=', { type: 'number' }],
  [
    '{ name: string; age?: number }',
    {
      type: 'object',
      properties: { name: { type: 'string' }, age: { type: 'number' } },
      required: ['name'],
      additionalProperties: false,
    },
  ],
  ['Callable[[int], str]', undefined],
  ['tuple[int, str]', undefined],
  ['(a: string) => void', undefined],
  ['Widget', undefined],
  ['', undefined],
  [`${'list['.repeat(50)}str${']'.repeat(50)}`, undefined],
])('a type: %s', (text, schema) => {
  expect(readType(text)).toEqual(schema);
});

it('a docstring: is read in three styles', () => {
  const google = readDocstring(
    'Do it.\n\n    More.\n\n    Args:\n        a (int): First\n            of all.\n        b: Second.\n\n    Returns:\n        c: x\n    ',
  );
  expect(google).toEqual({
    summary: 'Do it.',
    description: 'Do it. More.',
    parameters: { a: { description: 'First of all.', type: 'int' }, b: { description: 'Second.' } },
  });
  const numpy = readDocstring(
    'Do it.\n\n    Parameters\n    ----------\n    a : int, optional\n        First.\n    b\n        Second.\n\n    Returns\n    -------\n    c : x\n    ',
  );
  expect(numpy.parameters).toEqual({ a: { description: 'First.', type: 'int' }, b: { description: 'Second.' } });
  const rest = readDocstring('Do it.\n\n    :param int a: First.\n    :param b: Second.\n    :returns: x\n    ');
  expect(rest).toMatchObject({
    summary: 'Do it.',
    parameters: { a: { description: 'First.', type: 'int' }, b: { description: 'Second.' } },
  });
});

it('TypeScript: reads annotations, and the types of the file', async () => {
  const found = await findScriptFunctions(
    `interface Person { name: string; /** years */ age?: number }
type Size = 's' | 'l';
/** Greet a person. @param person who */
export async function greet(person: Person, size: Size = 's', note?: string): Promise<string> { return ''; }
/** Take options. */
export const take = ({ a, b }: { a: string; b?: number[] }): void => {};
/** Take a stream. */
export function pipe(from: NodeJS.ReadableStream) {}
/** Take all. */
export function all(...items: string[]) {}
export function undocumented(a: string) {}
`,
    'typescript',
  );
  expect(found).toMatchObject([
    {
      name: 'greet',
      parameters: [
        { name: 'person', isRequired: true, schema: { properties: { name: { type: 'string' } }, required: ['name'] } },
        { name: 'size', isRequired: false, schema: { enum: ['s', 'l'], default: 's' } },
        { name: 'note', isRequired: false, schema: { type: 'string' } },
      ],
    },
    { name: 'take', parameters: [{ name: 'options', schema: { required: ['a'] } }] },
  ]);
  expect(found).toHaveLength(2);
});
