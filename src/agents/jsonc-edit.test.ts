// Texts as people and programs leave them: what is put in and taken out again gives the same bytes.
import { describe, expect, it } from 'vitest';
import { parseJsonc, toValue } from './jsonc.ts';
import { appendItem, putValue, removeAt } from './jsonc-edit.ts';

const texts: Record<string, string> = {
  'other servers': '{\n  "mcpServers": {\n    "a": { "command": "x" }\n  }\n}\n',
  'no servers': '{\n  "theme": "dark"\n}\n',
  tabs: '{\n\t"mcpServers": {\n\t\t"a": {}\n\t},\n\t"z": 1\n}\n',
  'four blanks': '{\n    "mcpServers": {\n        "a": {}\n    }\n}',
  CRLF: '{\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}\r\n',
  BOM: '\uFEFF{\n  "mcpServers": {\n    "a": {}\n  }\n}\n',
  'a line comment behind the last': '{\n  "mcpServers": {\n    "a": {} // mine\n  }\n}\n',
  'a block comment behind the last': '{\n  "mcpServers": {\n    "a": {} /* mine */\n  } // end\n}\n',
  'a comment on a line of its own': '{\n  "mcpServers": {\n    "a": {}\n    // "b": {}\n  }\n}\n',
  'trailing commas': '{\n  "mcpServers": {\n    "a": {}, // mine\n  },\n}\n',
  'a URL that looks like a comment': '{\n  "mcpServers": {\n    "a": { "url": "http://x/*y*/" }\n  }\n}\n',
  'one line': '{"mcpServers":{"a":{}},"z":1}',
  'one line with blanks': '{ "mcpServers": { "a": {} } }\n',
  'an escaped quote': '{\n  "mcpServers": {\n    "a\\"b": { "c": "\\\\" }\n  }\n}\n',
};

const ours = { command: 'node', args: ['/opt/lore.cjs', 'stdio'] };
const path = ['mcpServers', 'lorekeeper'];

function read(text: string): Record<string, Record<string, unknown>> {
  const root = parseJsonc(text);
  return root ? (toValue(root) as Record<string, Record<string, unknown>>) : {};
}

describe('an entry in an object', () => {
  it.each(Object.entries(texts))('is added to %s and removed again', (_, text) => {
    const put = putValue(text, path, ours);
    expect(read(put).mcpServers?.lorekeeper).toEqual(ours);
    const rest = removeAt(put, path);
    expect(read(text).mcpServers ? rest : removeAt(rest, ['mcpServers'])).toBe(text);
  });

  it.each(Object.entries(texts))('leaves the other entries of %s as they were', (_, text) => {
    const { mcpServers = {}, ...rest } = read(text);
    const { lorekeeper, ...others } = read(putValue(text, path, ours)).mcpServers ?? {};
    expect(others).toEqual(mcpServers);
    expect(read(putValue(text, path, ours))).toMatchObject(rest);
  });

  it('follows the style around it', () => {
    expect(putValue(texts.tabs as string, path, ours)).toBe(
      '{\n\t"mcpServers": {\n\t\t"a": {},\n\t\t"lorekeeper": {\n\t\t\t"command": "node",\n\t\t\t"args": [\n\t\t\t\t"/opt/lore.cjs",\n\t\t\t\t"stdio"\n\t\t\t]\n\t\t}\n\t},\n\t"z": 1\n}\n',
    );
    expect(putValue(texts['one line'] as string, path, {})).toBe('{"mcpServers":{"a":{},"lorekeeper":{}},"z":1}');
    expect(putValue(texts['a line comment behind the last'] as string, path, {})).toBe(
      '{\n  "mcpServers": {\n    "a": {}, // mine\n    "lorekeeper": {}\n  }\n}\n',
    );
  });

  it('is removed from between later entries', () => {
    const put = putValue(texts['other servers'] as string, path, ours);
    const later = putValue(put, ['mcpServers', 'later'], { command: 'y' });
    const alone = putValue(texts['other servers'] as string, ['mcpServers', 'later'], { command: 'y' });
    expect(removeAt(later, path)).toBe(alone);
  });

  it('starts a file that is empty or has only comments', () => {
    expect(putValue('', ['a'], 1)).toBe('{\n  "a": 1\n}\n');
    expect(putValue(' \n', ['a'], 1)).toBe('{\n  "a": 1\n}\n');
    expect(putValue('\uFEFF', ['a'], 1)).toBe('\uFEFF{\n  "a": 1\n}\n');
    expect(putValue('// mine\n', ['a'], 1)).toBe('// mine\n{\n  "a": 1\n}\n');
  });

  it('keeps the comments of an empty object', () => {
    expect(putValue('{\n  // mine\n}\n', ['a'], 1)).toBe('{\n  // mine\n  "a": 1\n}\n');
    expect(putValue('{}', ['a'], 1)).toBe('{\n  "a": 1\n}');
  });

  it('replaces a value and nothing else', () => {
    expect(putValue('{"a": [1, 2], "b": 1}', ['a'], 'x')).toBe('{"a": "x", "b": 1}');
    expect(putValue('{"a": 1, "a": 2}', ['a'], 3)).toBe('{"a": 1, "a": 3}');
  });
});

describe('an item in an array', () => {
  it.each([
    '{\n  "hooks": {\n    "Stop": [\n      { "command": "x" }\n    ]\n  }\n}\n',
    '{"hooks":{"Stop":[{"command":"x"}]}}',
    '{\n  "hooks": {\n    "Stop": [{ "command": "x" }, ],\n  },\n}\n',
  ])('is added to %j and removed again', (text) => {
    const put = appendItem(text, ['hooks', 'Stop'], { command: 'lore' });
    expect(read(put)).toEqual({ hooks: { Stop: [{ command: 'x' }, { command: 'lore' }] } });
    expect(removeAt(put, ['hooks', 'Stop', '1'])).toBe(text);
  });
});

describe('invalid JSON', () => {
  it.each([
    ['{', 1],
    ['{\n  "a": 1\n  "b": 2\n}', 3],
    ['{\n"a": 01\n}', 2],
    ['{"a": 1} x', 1],
    ['{"a": /* open', 1],
    ["{'a': 1}", 1],
    ['{"a": "\n"}', 1],
    ['[1,,2]', 1],
    [`${'['.repeat(1_000)}`, 1],
  ])('%j is refused with its line', (text, line) => {
    expect(() => parseJsonc(text)).toThrow(`it is not JSON (line ${line})`);
  });
});
