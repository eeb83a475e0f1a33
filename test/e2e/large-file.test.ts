// A file of 200 MB, read through the tools: every part can be reached, and the server's memory stays small.
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readMemory } from '../fuzz/memory.ts';
import { createFolder } from '../support/folder.ts';
import { post, serveLore } from '../support/http.ts';

const lineLength = 1_000;
const linesPerBlock = 1_000;
const blocks = 200;

/** Every line has its number, and 1,000 bytes. */
function writeLarge(path: string): void {
  const file = openSync(path, 'w');
  for (let block = 0; block < blocks; block++) {
    const lines = Array.from({ length: linesPerBlock }, (_, at) => {
      const line = block * linesPerBlock + at + 1;
      return `line ${line} `.padEnd(lineLength - 1, '.');
    });
    writeSync(file, `${lines.join('\n')}\n`);
  }
  closeSync(file);
}

it('reads any part of a large file in little memory', async () => {
  const folder = createFolder('large');
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  writeLarge(join(folder, 'app.log'));
  const { url, child } = await serveLore({}, folder);
  const read = async (args: object) =>
    (await (await post(`${url}/read/file`, { path: 'app.log', ...args })).json()) as { text: string };
  const last = blocks * linesPerBlock;
  expect((await read({})).text).toMatch(/^line 1 /);
  for (const start of [last, last / 2, last - 1]) {
    expect(await read({ start, end: start })).toMatchObject({ text: expect.stringMatching(`^line ${start} `) });
  }
  const offset = (last - 10) * lineLength;
  expect((await read({ offset })).text.split('\n')[0]).toMatch(`line ${last - 9} `);
  if (process.platform === 'linux') expect(readMemory(child.pid as number).peak).toBeLessThan(200);
});
