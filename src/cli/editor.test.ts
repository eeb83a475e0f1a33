// A text in an editor: a program that is run with a file of the person's own.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../test/support/folder.ts';
import { editText } from './editor.ts';

/** An editor in JavaScript; `log` gets the path and mode of the file. */
function createEditor(change: string): { env: NodeJS.ProcessEnv; log: string } {
  const folder = createFolder('my editor');
  const [program, log] = [join(folder, 'editor.cjs'), join(folder, 'log')];
  const code = `#!${process.execPath}
const fs = require('node:fs'); const file = process.argv.at(-1);
fs.writeFileSync(${JSON.stringify(log)}, file + ' ' + (fs.statSync(file).mode & 0o777).toString(8) + ' ' + process.argv.slice(2, -1));
${change}`;
  writeFileSync(program, code);
  chmodSync(program, 0o755);
  return { env: { EDITOR: `"${program}" --wait` }, log };
}

const write = (text: string) => `fs.writeFileSync(file, ${JSON.stringify(text)})`;

describe.skipIf(process.platform === 'win32')('an editor', () => {
  it('opens the text in a private file', async () => {
    const { env, log } = createEditor(`fs.appendFileSync(file, ' And clams.\\n')`);
    const draft = await editText('n_1', 'Walruses.', env);
    expect(draft.text).toBe('Walruses. And clams.');
    const [file = '', mode, args] = readFileSync(log, 'utf8').split(' ');
    expect([file.endsWith('/n_1.md'), mode, args]).toEqual([true, '600', '--wait']);
    expect(draft.keep()).toBe(file);
    expect(existsSync(dirname(file))).toBe(true);
  });

  it('keeps the end of the last line', async () => {
    expect((await editText('n_1', 'a\n', createEditor(write('b\n')).env)).text).toBe('b\n');
    expect((await editText('n_1', 'a', createEditor(write('b\n\n')).env)).text).toBe('b\n');
    expect((await editText('n_1', 'a\nb', createEditor(write('a\r\nc\r\n')).env)).text).toBe('a\nc');
  });

  it('that fails or is missing saves nothing', async () => {
    await expect(editText('n_1', 'a', createEditor('process.exit(3)').env)).rejects.toMatchObject({
      word: 'invalid_input',
    });
    await expect(editText('n_1', 'a', { EDITOR: 'no-such-editor' })).rejects.toMatchObject({ word: 'not_found' });
  });
});
