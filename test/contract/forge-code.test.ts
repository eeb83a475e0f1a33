// Code as tools: a repository is searched without running any of it, functions and commands really run, and only as allowed.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { ForgeLab, type Json } from '../support/forge.ts';

let lab: ForgeLab;
let folder: string;
beforeEach(async () => {
  lab = await ForgeLab.open();
  folder = realpathSync(createFolder('repository'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await lab.close();
});

const write = (files: Record<string, string>) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
};
const addRepository = () => lab.forge.addRepository({ name: 'shop', from: folder, folder });
const allow = (...names: string[]) => lab.restart(Object.fromEntries(names.map((name) => [name, 'write'])));
const run = async (name: string, args: Json = {}) =>
  (await lab.call('tool_write', { name, arguments: args })).structured as Json;

const hasPython = (() => {
  try {
    return execFileSync('python3', ['-c', 'print(1)'], { encoding: 'utf8' }).trim() === '1';
  } catch {
    return false;
  }
})();

const python = `
import dataclasses, enum, os, pathlib
from typing import Literal, Optional
from .helper import double

class Size(enum.Enum):
    SMALL = 's'
    LARGE = 'l'

@dataclasses.dataclass
class Item:
    name: str
    price: float = 1.0

def price(item: Item, size: Size, count: int = 2, currency: Literal['EUR', 'USD'] = 'EUR') -> dict:
    """Compute the price of an item.

    Args:
        item: What is bought.
        size (Size): How large
            it is.
        count: How many.

    Returns:
        The price.
    """
    print('this must not disturb the answer')
    return {'total': double(item.price) * count, 'size': size.name, 'currency': currency, 'kind': type(item).__name__}

def tags(names: list[str], note: Optional[str] = None, path: 'pathlib.Path' = '.'):
    """Join tags.

    Parameters
    ----------
    names : list of str
        The tags.
    """
    return {'joined': '+'.join(names), 'note': note, 'path': type(path).__name__, 'env': sorted(os.environ), 'cwd': os.getcwd()}

async def later(text: str) -> str:
    """Return the text later.

    :param text: what to return
    """
    return text

def fails(text: str):
    """Always fail."""
    raise ValueError('no: ' + text)

def untyped(text):
    """Has no types."""

def undocumented(text: str):
    return text

def rest(*values: int):
    """Takes anything."""

def stream(out: 'io.TextIOBase'):
    """Takes what JSON cannot express."""

def _private(text: str):
    """Is private."""
`;

const script = `
/**
 * Add two numbers.
 * @param {number} a - The first.
 * @param {number} [b=1] The second.
 */
export function add(a, b = 1) {
  console.log('this must not disturb the answer');
  return a + b;
}

/**
 * Describe a person.
 * @param {Object} person
 * @param {string} person.name - Their name.
 * @param {("tea"|"coffee")} [drink]
 */
export const describe = async ({ name }, drink = 'tea') => \`\${name} likes \${drink}\`;

/** Not exported.
 * @param {string} a */
function inner(a) {}

/** Untyped. */
export function untyped(a) {}
`;

describe('a repository', () => {
  const api = () => ({ 'openapi.json': JSON.stringify({ ...lab.pets(), info: { title: 'Pets' } }) });

  it('becomes the tools of its documents and functions, and offers its programs and servers', async () => {
    const split = JSON.stringify({
      ...lab.pets(),
      paths: { '/pets': { $ref: 'paths/pets.json' } },
    });
    write({
      ...api(),
      'docs/other.json': split,
      'docs/paths/pets.json': '{"get": {"operationId": "listAll"}}',
      'schema.graphql': 'type Query { hero(id: ID!): String }',
      'package.json': '{"name": "shop", "info": 1}',
      'lib/math.mjs': script,
      'cli.py': 'import argparse\nif __name__ == "__main__":\n  argparse.ArgumentParser().parse_args()\n',
      'server.py': 'mcp = FastMCP("x")\n',
      '.mcp.json': '{"mcpServers": {"own": {"command": "node", "args": ["own.js"]}}}',
      'tests/openapi.json': JSON.stringify(lab.pets()),
      'node_modules/x/openapi.json': JSON.stringify(lab.pets()),
    });
    const { added, failed, content } = await addRepository();
    expect(added.map(({ source }) => [source.name, source.format, source.operations])).toEqual([
      ['shop', 'functions', 2],
      ['shop2', 'OpenAPI 3.1', 1],
      ['shop3', 'OpenAPI 3.1', 5],
    ]);
    expect(failed).toMatchObject([{ path: 'schema.graphql', problem: expect.stringContaining('relative') }]);
    expect(content.programs).toEqual(['cli.py']);
    expect(content.servers).toEqual([
      ['node', 'own.js'],
      ['python3', join(folder, 'server.py')],
    ]);
    expect(await lab.read('shop2_list_all')).toMatchObject({ status: 200 });
    // Names stay, and all parts are removed together.
    expect((await addRepository()).added.map(({ source }) => source.name)).toEqual(['shop', 'shop2', 'shop3']);
    await lab.forge.remove('shop');
    expect(await lab.forge.sources.list()).toEqual([]);
  });

  it('is found by what its functions do', async () => {
    write({ 'lib/math.mjs': script });
    await addRepository();
    const { structured } = await lab.call('tool_find', { queries: ['add numbers'], limit: 1 });
    expect(structured).toMatchObject({
      tools: [
        {
          name: 'shop_add',
          effect: 'write',
          signature: '(a*, b)',
          arguments: {
            properties: {
              a: { type: 'number', description: 'The first.' },
              b: { type: 'number', description: 'The second.', default: 1 },
            },
            required: ['a'],
          },
        },
      ],
    });
  });

  it('belongs to one folder, if its owner wants that', async () => {
    write({ 'lib/math.mjs': script });
    await lab.forge.addRepository({ name: 'shop', from: folder, folder, project: folder });
    await allow('shop_add');
    await expect(run('shop_add', { a: 1 })).rejects.toMatchObject({ word: 'not_found' });
    const caller = { ...(await import('../../src/core/call.ts')).localCaller, folder: join(folder, 'lib') };
    const result = await lab.call('tool_write', { name: 'shop_add', arguments: { a: 1 } }, { caller });
    expect(result.structured).toMatchObject({ data: 2 });
  });
});

describe('a function', () => {
  it('of JavaScript runs with its arguments', async () => {
    write({
      'lib/math.mjs': script,
      'old.cjs':
        '/** Shout.\n * @param {string} text */\nfunction shout(text) { return text + "!"; }\nmodule.exports = { shout };\n',
    });
    await addRepository();
    await allow('shop_add', 'shop_describe', 'shop_shout');
    expect(await run('shop_add', { a: 2, b: 40 })).toMatchObject({ data: 42 });
    expect(await run('shop_add', { a: 2 })).toMatchObject({ data: 3 });
    expect(await run('shop_describe', { person: { name: 'Ada' }, drink: 'coffee' })).toMatchObject({
      data: 'Ada likes coffee',
    });
    expect(await run('shop_shout', { text: 'hi' })).toMatchObject({ data: 'hi!' });
    await expect(run('shop_describe', { person: { name: 'Ada' }, drink: 'wine' })).rejects.toMatchObject({
      word: 'invalid_input',
    });
  });

  it.skipIf(!hasPython)('of Python runs with values of its types (needs python3)', async () => {
    vi.stubEnv('SECRET_OF_THE_SERVER', 'x');
    write({ 'pkg/__init__.py': '', 'pkg/helper.py': 'def double(n): return 2 * n\n', 'pkg/shop.py': python });
    const { added } = await addRepository();
    expect((await lab.forge.sources.catalog(added[0]?.source as never)).map(({ name }) => name)).toEqual([
      'price',
      'tags',
      'later',
      'fails',
    ]);
    await allow('shop_price', 'shop_tags', 'shop_later', 'shop_fails');
    expect(await run('shop_price', { item: { name: 'pen', price: 3 }, size: 'l', currency: 'USD' })).toMatchObject({
      data: { total: 12, size: 'LARGE', currency: 'USD', kind: 'Item' },
    });
    const { data } = (await run('shop_tags', { names: ['a', 'b'], path: '/x' })) as { data: Json };
    expect(data).toMatchObject({ joined: 'a+b', note: null, path: 'PosixPath', cwd: folder });
    expect(data.env).not.toContain('SECRET_OF_THE_SERVER');
    expect(await run('shop_later', { text: 'ü' })).toMatchObject({ data: 'ü' });
    await expect(run('shop_fails', { text: 'x' })).rejects.toMatchObject({
      word: 'unavailable',
      message: 'Cannot run "shop_fails": the function failed',
      details: { error: 'ValueError', message: 'no: x' },
    });
    await expect(run('shop_price', { item: { name: 1 }, size: 'l' })).rejects.toMatchObject({ word: 'invalid_input' });
  });

  it('is off until it is allowed by its own name, and while its file is the same', async () => {
    write({ 'lib/math.mjs': script });
    await addRepository();
    const call = { name: 'shop_add', arguments: { a: 1 } };
    await expect(lab.call('tool_write', call)).rejects.toMatchObject({
      word: 'forbidden',
      hint: expect.stringContaining('lore allow shop_add --level write'),
    });
    await lab.restart({ shop: 'write' });
    await expect(lab.call('tool_write', call)).rejects.toMatchObject({ word: 'forbidden' });
    await allow('shop_add');
    expect(await run('shop_add', { a: 1 })).toMatchObject({ data: 2 });
    write({ 'lib/math.mjs': `${script}\n` });
    await expect(run('shop_add', { a: 1 })).rejects.toMatchObject({ word: 'conflict' });
    await expect(lab.forge.refresh('shop', { isPerson: false })).rejects.toMatchObject({ word: 'forbidden' });
    await lab.forge.refresh('shop', { isPerson: true });
    expect(await run('shop_add', { a: 1 })).toMatchObject({ data: 2 });
  });
});

describe('a program', () => {
  /** Prints its arguments as JSON, and help as commander does. */
  const program = `#!/usr/bin/env node
const args = process.argv.slice(2);
if (!args.includes('--help')) console.log(JSON.stringify(args));
else if (args[0] === 'add') console.log('Usage: notes add [options] <text> [files...]\\n\\nadd a note\\n\\nOptions:\\n  -o, --out <file>  write here\\n  --tag <tag...>  tags\\n  --loud  be loud\\n  -n <count>  copies\\n');
else if (args[0] === 'delete') console.log('Usage: notes delete [options] <id>\\n');
else console.log('Usage: notes [options] [command]\\n\\nCommands:\\n  add [options] <text> [files...]  add a note\\n  list  list notes\\n  delete <id>  delete a note\\n');
if (args[0] === 'list' && args[1] !== '--help') { console.error('broken: ' + args.length); process.exitCode = 3; }
`;

  it('becomes one tool for each command, with arguments that are never options or code', async () => {
    write({ 'notes.cjs': program });
    const { source } = await lab.forge.addProgram({ name: 'notes', from: join(folder, 'notes.cjs') });
    const catalog = await lab.forge.sources.catalog(source);
    expect(catalog.map(({ name, effect }) => [name, effect])).toEqual([
      ['add', 'write'],
      ['list', 'read'],
      ['delete', 'destroy'],
    ]);
    await allow('notes_add', 'notes_list');
    const args = { text: '--loud; rm -rf $(HOME)', files: ['a b', '-x'], out: '--x', tag: ['q', '--help'], loud: true };
    expect(await run('notes_add', args)).toMatchObject({
      data: ['add', '--out=--x', '--tag=q', '--tag=--help', '--loud', '--', '--loud; rm -rf $(HOME)', 'a b', '-x'],
    });
    await expect(run('notes_add', { text: 'x', n: '-y' })).rejects.toMatchObject({ word: 'invalid_input' });
    await expect(run('notes_add', { text: 'x', other: 1 })).rejects.toMatchObject({ word: 'invalid_input' });
    await expect(lab.call('tool_read', { name: 'notes_list', arguments: {} })).rejects.toMatchObject({
      message: expect.stringContaining('status 3'),
      details: { message: 'broken: 1\n' },
    });
    await expect(run('notes_delete', { id: '1' })).rejects.toMatchObject({ word: 'forbidden' });
    writeFileSync(join(folder, 'notes.cjs'), `${program}\n`);
    await expect(run('notes_add', { text: 'x' })).rejects.toMatchObject({ word: 'conflict' });
  });

  it('can be one of PATH', async () => {
    write({
      'bin/greeter': '#!/bin/sh\nif [ "$1" = --help ]; then echo "Usage: greeter NAME"; else echo "hello $2"; fi\n',
    });
    chmodSync(join(folder, 'bin/greeter'), 0o755);
    vi.stubEnv('PATH', `${join(folder, 'bin')}:${process.env.PATH}`);
    await lab.forge.addProgram({ name: 'greeter', from: 'greeter' });
    await lab.restart({ greeter: 'write' });
    expect(await run('greeter_greeter', { name: 'Ada' })).toMatchObject({ text: 'hello Ada\n' });
    await expect(lab.forge.addProgram({ name: 'missing', from: 'no-such-program' })).rejects.toThrow('not installed');
  });
});
