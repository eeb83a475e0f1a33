// One table in a TOML file: found however it is written, added at the end, and taken out without a trace.
import { describe, expect, it } from 'vitest';
import { parseToml } from './toml.ts';
import { appendTable, findWithin, putPair, removeTable } from './toml-edit.ts';

const path = ['mcp_servers', 'lorekeeper'];
const pairs = { command: '/usr/bin/node', args: ['C:\\lore "x".cjs', 'stdio'] };

const texts: Record<string, string> = {
  empty: '',
  'no table': 'model = "o5" # mine\n',
  'no newline at the end': 'model = "o5"',
  'other servers': '[mcp_servers.a]\ncommand = "x"\n\n[mcp_servers.a.env]\nK = "v"\n',
  CRLF: 'model = "o5"\r\n\r\n[mcp_servers.a]\r\ncommand = "x"\r\n',
  'comments at the end': '[a]\nb = 1\n\n# the end\n',
  'brackets in strings':
    'a = "[mcp_servers.lorekeeper]"\nb = """\n[mcp_servers.lorekeeper]\n\\"""\n"""\nc = \'\'\'\n[x]\'\'\'\n',
  'long arrays':
    'a = [\n  "x", # [mcp_servers.lorekeeper]\n  { b = "]" },\n]\nd = 1979-05-27 07:32:00Z\n[[list]]\nn = 1\n',
};

describe('a table', () => {
  it.each(Object.entries(texts))('is added to a file with %s and removed again', (name, text) => {
    const put = appendTable(text, path, pairs);
    expect(findWithin(put, path).map(({ kind }) => kind)).toEqual(['table', 'pair', 'pair']);
    const back = removeTable(put, path);
    expect(back).toBe(name === 'no newline at the end' ? `${text}\n` : text);
  });

  it('is removed from before later entries', () => {
    const later = `${appendTable('model = "o5"\n', path, pairs)}\n[mcp_servers.lorekeeper.env]\nA = "b"\n\n[later]\nx = 1\n`;
    expect(removeTable(later, path)).toBe('model = "o5"\n\n[later]\nx = 1\n');
  });

  it.each([
    '[mcp_servers.lorekeeper]\ncommand = "x"',
    '[ mcp_servers . "lorekeeper" ]\ncommand = "x"',
    '[mcp_servers]\n\'lorekeeper\' = { command = "x" }',
    '[mcp_servers]\nlorekeeper.command = "x"',
    'mcp_servers.lorekeeper.command = "x"',
    '[mcp_servers.lorekeeper.env]\nA = "b"',
  ])('is found in %j', (text) => {
    expect(findWithin(text, path)).not.toEqual([]);
  });

  it('has its pairs changed in place', () => {
    const text = '[mcp_servers.lorekeeper]\ncommand = "old" # mine\nenabled = true\n';
    expect(putPair(text, [...path, 'command'], 'new')).toBe(text.replace('old', 'new'));
    expect(putPair(text, [...path, 'args'], ['a'])).toContain('[mcp_servers.lorekeeper]\nargs = ["a"]\ncommand');
  });
});

it.each(['[a', 'a', 'a = ', 'a = "x', '[a]]', 'a = 1 b = 2', '= 1', 'a = [1'])('%j is refused', (text) => {
  expect(() => parseToml(text)).toThrow('it is not TOML (line 1)');
});
