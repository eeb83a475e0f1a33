// Whether cited code still says so, judged on real files that change.
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFolder } from '../../../../test/support/folder.ts';
import { type Citation, findCitations } from './citation.ts';
import { type CheckedCitation, type CitationState, checkCitations, stateOfAll } from './citation-check.ts';
import { type CodeSnapshot, readSnapshot, takeSnapshot } from './citation-snapshot.ts';

const store = `import { connect } from '../connect.ts';

export async function openStore(
  location: string,
): Promise<Store> {
  for (let attempt = 0; attempt < 3; attempt++) {
    await connect(location, 8443);
  }
}

export function closeStore(): void {
  disconnect();
}
`;

let root: string;
let clock: number;

beforeEach(() => {
  root = createFolder('citation');
  clock = 1_700_000_000;
  write('src/open.ts', store);
});

/** Each write is later than the one before, whatever the clock's grain. */
function write(file: string, text: string): void {
  mkdirSync(join(root, file, '..'), { recursive: true });
  writeFileSync(join(root, file), text);
  clock += 10;
  utimesSync(join(root, file), clock, clock);
}

function change(from: string | RegExp, to: string, file = 'src/open.ts', text = store): void {
  expect(text.replace(from, to)).not.toBe(text);
  write(file, text.replace(from, to));
}

async function snap(memory: string): Promise<CodeSnapshot> {
  const stored = JSON.parse(JSON.stringify(await takeSnapshot(findCitations(memory), root)));
  const snapshot = readSnapshot(stored);
  expect(snapshot).toEqual(stored);
  return snapshot as CodeSnapshot;
}

/** However slow the machine is that runs this. */
function checkAll(citations: readonly Citation[], folder: string, snapshot?: CodeSnapshot): Promise<CheckedCitation[]> {
  return checkCitations(citations, folder, snapshot, new AbortController().signal);
}

async function check(memory: string, snapshot?: CodeSnapshot): Promise<CitationState | undefined> {
  return stateOfAll(await checkAll(findCitations(memory), root, snapshot));
}

describe('a memory that cites a symbol', () => {
  const memory = '`openStore()` in src/open.ts retries.';

  it('is fresh while nothing changed, and when only the time did', async () => {
    const snapshot = await snap(memory);
    expect(await check(memory, snapshot)).toBe('fresh');
    write('src/open.ts', store);
    expect(await check(memory, snapshot)).toBe('fresh');
  });

  it('is fresh when something else changed, or the symbol moved', async () => {
    const snapshot = await snap(memory);
    change('disconnect();', 'disconnectAll();');
    expect(await check(memory, snapshot)).toBe('fresh');
    write('src/open.ts', `// A head.\n\n\n${store.replaceAll('  ', '\t')}`);
    expect(await check(memory, snapshot)).toBe('fresh');
  });

  it('is stale when its definition changed or is no longer there', async () => {
    const snapshot = await snap(memory);
    change('attempt < 3', 'attempt < 5');
    expect(await check(memory, snapshot)).toBe('stale');
    change('openStore', 'openDatabase');
    expect(await check(memory, snapshot)).toBe('stale');
  });

  it('is deleted with its file', async () => {
    const snapshot = await snap(memory);
    renameSync(join(root, 'src/open.ts'), join(root, 'src/moved.ts'));
    expect(await check(memory, snapshot)).toBe('gone');
    rmSync(join(root, 'src'), { recursive: true });
    expect(await check(memory, snapshot)).toBe('gone');
  });

  it('that is only used there is stale when it is no longer used', async () => {
    const uses = '`connect` is called in src/open.ts.';
    const snapshot = await snap(uses);
    change('await connect(location, 8443)', 'connect(location)');
    expect(await check(uses, snapshot)).toBe('fresh');
    change(/connect/g, 'join');
    expect(await check(uses, snapshot)).toBe('stale');
  });

  it('that was never in the file is judged by the file', async () => {
    const loose = 'src/open.ts is careful, unlike what `otherThing` does.';
    const snapshot = await snap(loose);
    change('disconnect();', 'disconnectAll();');
    expect(await check(loose, snapshot)).toBe('fresh');
  });
});

describe('definitions in other languages', () => {
  it.each([
    [
      'a.py',
      'class Store:\n    def open_store(self):\n        return 3\n\n    def close(self):\n        return 1\n',
      'open_store',
      'return 3',
      'return 1\n',
    ],
    [
      'a.go',
      'func (s *Store) OpenStore() error {\n\treturn retry(3)\n}\n\nfunc Other() {\n\tx()\n}\n',
      'OpenStore',
      'retry(3)',
      'x()',
    ],
    [
      'a.rs',
      'pub fn open_store() -> u32 {\n    3\n}\n\nfn other() -> u32 {\n    9\n}\n',
      'open_store',
      '    3',
      '    9',
    ],
    [
      'a.cs',
      'class A {\n    public static int OpenStore()\n    {\n        return 3;\n    }\n}\n// tail\n',
      'OpenStore',
      'return 3',
      '// tail',
    ],
    [
      'a.ts',
      'class A {\n  async openStore(x: number): Promise<void> {\n    go(3);\n  }\n\n  other(): void {\n    stay();\n  }\n}\n',
      'openStore',
      'go(3)',
      'stay()',
    ],
    ['a.rb', 'def open_store\n  retry 3\nend\n\ndef other\n  x\nend\n', 'open_store', 'retry 3', '  x'],
  ])('%s', async (name, text, symbol, inside, outside) => {
    const file = `lib/${name}`;
    const memory = `\`${symbol}()\` in ${file} retries.`;
    write(file, text);
    const snapshot = await snap(memory);
    expect(snapshot.files[file]?.symbols?.[symbol]).not.toBe('');
    change(outside, 'changedElsewhere', file, text);
    expect(await check(memory, snapshot)).toBe('fresh');
    change(inside, 'changedHere', file, text);
    expect(await check(memory, snapshot)).toBe('stale');
  });
});

describe('a memory that cites a line', () => {
  const memory = 'See src/open.ts:6 for the loop.';

  it('is fresh where the line moved, stale where it changed', async () => {
    const snapshot = await snap(memory);
    write('src/open.ts', `// One.\n// Two.\n${store}`);
    expect(await check(memory, snapshot)).toBe('fresh');
    change('attempt < 3', 'attempt < 5');
    expect(await check(memory, snapshot)).toBe('stale');
  });
});

describe('a memory that cites a file', () => {
  const lines = Array.from({ length: 60 }, (_, index) => `const value${index} = compute(${index});`);

  it('is fresh while most of it is unchanged, stale when it was rewritten', async () => {
    const memory = 'src/values.ts computes everything.';
    write('src/values.ts', lines.join('\n'));
    const snapshot = await snap(memory);
    write('src/values.ts', [...lines.slice(0, 50), 'other();', 'things();'].join('\n'));
    expect(await check(memory, snapshot)).toBe('fresh');
    write('src/values.ts', lines.map((line) => line.replace('compute', 'lookUp')).join('\n'));
    expect(await check(memory, snapshot)).toBe('stale');
  });

  it('and a number in it is stale when the number changed', async () => {
    const memory = 'The store connects to port 8443 (src/open.ts).';
    const snapshot = await snap(memory);
    change('8443', '9443');
    expect(await check(memory, snapshot)).toBe('stale');
  });

  it('is fresh if it is an existing folder', async () => {
    const memory = 'Everything below src/store/ speaks SQL.';
    mkdirSync(join(root, 'src/store'));
    const snapshot = await snap(memory);
    write('src/store/x.ts', 'x');
    expect(await check(memory, snapshot)).toBe('fresh');
  });
});

describe('without a snapshot', () => {
  it.each<[string, CitationState | undefined]>([
    ['`openStore()` in src/open.ts retries.', 'fresh'],
    ['`openDatabase()` in src/open.ts retries.', 'stale'],
    ['src/open.ts is careful, unlike `openDatabase`', 'fresh'],
    ['src/open.ts:6', 'fresh'],
    ['src/open.ts:600', 'stale'],
    ['src/nowhere.ts', 'gone'],
    ['see helper.ts', undefined],
    ['no file at all', undefined],
  ])('%s', async (memory, state) => {
    expect(await check(memory)).toBe(state);
  });
});

describe('code that did not exist when it was stored', () => {
  it('is not judged', async () => {
    const memory = 'We will write src/later.ts, as in the other repository.';
    const snapshot = await snap(memory);
    expect(snapshot).toEqual({ files: {} });
    expect(await check(memory, snapshot)).toBeUndefined();
    write('src/later.ts', 'x');
    expect(await check(memory, snapshot)).toBeUndefined();
  });
});

describe('beyond the root', () => {
  it.each(['../secret.ts', '/etc/hosts', '~/notes.md', 'src/../../secret.ts'])('%s is not read', async (file) => {
    const citations = [{ file, sure: true }];
    expect(await takeSnapshot(citations, root)).toEqual({ files: {} });
    expect(await checkAll(citations, root)).toEqual([]);
  });

  it('links are not followed', async () => {
    const outside = createFolder('citation-outside');
    writeFileSync(join(outside, 'secret.ts'), 'export const secret = 1;');
    symlinkSync(outside, join(root, 'linked'));
    symlinkSync(join(outside, 'secret.ts'), join(root, 'src/secret.ts'));
    for (const file of ['linked/secret.ts', 'src/secret.ts']) {
      expect(await takeSnapshot([{ file, sure: true }], root)).toEqual({ files: {} });
      expect(await checkAll([{ file, sure: true }], root)).toEqual([]);
    }
  });

  it('except links inside it, and a root that is a link', async () => {
    symlinkSync(join(root, 'src'), join(root, 'source'));
    expect(await checkAll([{ file: 'source/open.ts', sure: true }], root)).toHaveLength(1);
    const other = join(createFolder('citation-link'), 'project');
    symlinkSync(root, other);
    expect(await checkAll([{ file: 'src/open.ts', sure: true }], other)).toMatchObject([{ state: 'fresh' }]);
    expect(await checkAll([{ file: join(root, 'src/open.ts'), sure: true }], root)).toMatchObject([{ state: 'fresh' }]);
  });
});

describe('bounds', () => {
  it('reads at most eight files', async () => {
    const citations = Array.from({ length: 40 }, (_, index) => ({ file: `src/none${index}.ts`, sure: true }));
    expect(await checkAll(citations, root)).toHaveLength(8);
  });

  it('compares a large file only by time and size', async () => {
    const memory = '`openStore()` in src/large.ts retries.';
    write('src/large.ts', store.repeat(3_000));
    const snapshot = await snap(memory);
    expect(Object.keys(snapshot.files['src/large.ts'] ?? {})).toEqual(['modified', 'size']);
    write('src/large.ts', 'x'.repeat(600_000));
    expect(await check(memory, snapshot)).toBe('fresh');
  });

  it('contains no text of the file, and is small', async () => {
    const json = JSON.stringify(await snap('`openStore()` in src/open.ts:6 retries.'));
    expect(json.length).toBeLessThan(400);
    expect(json).not.toContain('attempt');
  });

  it('does not open a file with unchanged time and size', async () => {
    const memory = '`openStore()` in src/open.ts retries.';
    const snapshot = await snap(memory);
    const { mtimeMs } = statSync(join(root, 'src/open.ts'));
    writeFileSync(join(root, 'src/open.ts'), 'y'.repeat(store.length));
    utimesSync(join(root, 'src/open.ts'), mtimeMs / 1_000, mtimeMs / 1_000);
    expect(await check(memory, snapshot)).toBe('fresh');
  });

  it('refuses an invalid snapshot', () => {
    for (const value of [undefined, null, 1, 'x', [], {}, { files: [] }]) expect(readSnapshot(value)).toBeUndefined();
    expect(readSnapshot({ files: { a: { modified: 'x' }, b: { modified: 1, size: 2 } } })).toEqual({
      files: { b: { modified: 1, size: 2 } },
    });
  });

  it('respects its timeout', async () => {
    expect(await checkCitations([{ file: 'src/open.ts', sure: true }], root, undefined, AbortSignal.abort())).toEqual(
      [],
    );
  });

  it('returns nothing without a root', async () => {
    expect(await checkAll([{ file: 'src/a.ts', sure: true }], join(root, 'nowhere'))).toEqual([]);
  });
});
