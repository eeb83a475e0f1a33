// Ranges of files: by byte, by line of a large file, and as resources.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlainCall, localCaller } from '../../src/core/call.ts';
import { readResource } from '../../src/core/registry/lookup.ts';
import { decodeText } from '../../src/files/decode.ts';
import { sqlite } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices, type Services } from '../support/services.ts';

interface Part {
  text: string;
  offset?: number;
  next_offset?: number;
}

const folder = createFolder('repo');
const call = createPlainCall({ ...localCaller, folder });
const secret = ['ghp', 'Zx8Kq2LmVt4RbN7wYc1HsJ0dFgPa3Q0Wk5Te'].join('_');
let services: Services;

const read = async (path: string, rest: object = {}) =>
  (await services.call('read_file', { path, ...rest })) as unknown as Part;

beforeAll(async () => {
  mkdirSync(join(folder, 'src'));
  for (const [path, content] of Object.entries({
    'src/long.js': `${'x'.repeat(600_000)}\nsecond\n`,
    'src/wide.txt': Buffer.from('\ufeffone\nzw\u00f6lf \u0a00\nend\n', 'utf16le'),
    'src/wide-be.txt': Buffer.from('\ufeffone\ntwo\n', 'utf16le').swap16(),
    'src/crlf.txt': 'one\r\ntwo\r\nthree',
    'src/latin.txt': Buffer.from('caf\xe9\n', 'latin1'),
    'src/umlauts.txt': 'zwölf Boxkämpfer '.repeat(4_000),
    'src/edge.txt': `${'x'.repeat(24 * 1024 - 12)} ${secret} ${'y'.repeat(100)}\n`,
    'src/lines.txt': Array.from({ length: 5_000 }, (_, at) => `line ${at + 1}\n`).join(''),
    'manual.pdf': '%PDF-1.7\n\0\0',
    'bm.env': `BM_TOKEN=${secret}\n`,
    'gif.env': `GIF8_TOKEN=${secret}\n`,
  })) {
    writeFileSync(join(folder, path), content);
  }
  services = await openServices(sqlite, folder);
});
afterAll(() => services.close());

describe('read_file', () => {
  it.each(['src/long.js', 'src/wide.txt', 'src/wide-be.txt', 'src/crlf.txt', 'src/latin.txt', 'src/umlauts.txt'])(
    'returns every byte of %s by offset',
    async (path) => {
      const texts: string[] = [];
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const part: Part = await read(path, { offset });
        expect(part.offset).toBe(offset);
        texts.push(part.text);
        offset = part.next_offset;
      }
      expect(texts.join('')).toBe(decodeText(readFileSync(join(folder, path))));
    },
  );

  it('continues a truncated line by offset, and hides a secret on the edge of two pages', async () => {
    const first = await read('src/edge.txt');
    const second = await read('src/edge.txt', { offset: first.next_offset });
    expect(`${first.text}${second.text}`).not.toMatch(/ghp_|Zx8K|Wk5Te/);
    expect(`${first.text}${second.text}`).toMatch(/^x+ \[redacted:[\w-]+\]\[redacted:[\w-]+\] y+\n$/);
    for (const args of [{ offset: 1, start: 1 }, { offset: 1, symbol: 'x' }, { offset: 10_000_000 }]) {
      await expect(read('src/edge.txt', args)).rejects.toMatchObject({ details: { path: 'arguments.offset' } });
    }
  });

  it('finds the lines of a large file again after it changed', async () => {
    const path = 'src/large.txt';
    const write = (word: string) =>
      writeFileSync(join(folder, path), Array.from({ length: 200_000 }, (_, at) => `${word} ${at + 1}\n`).join(''));
    for (const word of ['line', 'other']) {
      write(word);
      for (const start of [150_000, 1_024, 1_025, 1_026, 199_999]) {
        expect(await read(path, { start, end: start })).toMatchObject({ text: `${word} ${start}\n`, start });
      }
    }
    await expect(read(path, { start: 200_001 })).rejects.toMatchObject({ details: { expected: 'at most 200000' } });
  });
});

describe('file resources', () => {
  it('can be read by lines', async () => {
    for (const [fragment, text] of [
      ['#L2', 'line 2\n'],
      ['#L4998-L5000', 'line 4998\nline 4999\nline 5000\n'],
      ['#L2-3', 'line 2\nline 3\n'],
    ]) {
      const uri = `lore://file/src/lines.txt${fragment}`;
      expect(await readResource(services.registry, uri, call)).toMatchObject([{ uri, text }]);
    }
  });

  it('refuse line 0, which does not exist', async () => {
    const reading = readResource(services.registry, 'lore://file/src/lines.txt#L0', call);
    await expect(reading).rejects.toMatchObject({ word: 'not_found' });
  });

  it.each(['bm.env', 'gif.env'])('are redacted if they only begin like an image: %s', async (path) => {
    const [contents] = await readResource(services.registry, `lore://file/${path}`, call);
    expect(contents).toMatchObject({ mimeType: 'text/plain', text: expect.stringContaining('[redacted:') });
    expect((await read(path)).text).toContain('[redacted:');
  });

  it('are what a tool links to if a client can open them', async () => {
    const { content } = await services.registry.call('read_file', { path: 'manual.pdf' }, call);
    const uri = 'lore://file/manual.pdf';
    expect(content).toMatchObject([{ type: 'text' }, { type: 'resource_link', uri, mimeType: 'application/pdf' }]);
    expect(await readResource(services.registry, uri, call)).toMatchObject([
      { uri, mimeType: 'application/pdf', blob: Buffer.from('%PDF-1.7\n\0\0').toString('base64') },
    ]);
  });
});
