// Correcting a memory from the terminal: with an editor, with an option, and from a pipe.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/bundle.ts';
import { createFolder } from '../support/folder.ts';
import { runLore } from '../support/lore.ts';

function createPlace() {
  const folder = createFolder('project');
  const env = { LORE_DB: join(folder, 'lore.db'), LORE_CONFIG: join(folder, 'config.json'), HOME: folder };
  const run = (args: string[], input?: string) =>
    runLore(args, { env, cwd: folder, ...(input !== undefined && { input }) });
  const lore = async (...args: string[]) => (await run(args)).stdout;
  const json = async (...args: string[]) => JSON.parse(await lore(...args, '--json'));
  return { folder, env, run, lore, json };
}

describe('lore edit', () => {
  it('accepts the new text as an option or from a pipe, and keeps the old one', async () => {
    const { run, lore, json } = createPlace();
    const { id } = await json('remember', 'Deploys are on Mondays.');
    expect(await lore('edit', id.slice(0, 18), '--text', 'Deploys are on Tuesdays.')).toBe(`Edited ${id}.\n`);
    expect((await run(['edit', id], 'Deploys are on Wednesdays.\n')).code).toBe(0);
    const shown = await lore('show', id, '--history');
    expect(shown).toMatch(/Deploys are on Wednesdays\.\n/);
    expect(shown).toMatch(
      /edited · by local\n {4}Deploys are on Mondays\.\n.*edited · by local\n {4}Deploys are on Tuesdays\./,
    );
    expect(await lore('recall', 'when do we deploy?')).toContain('Wednesdays');
    expect((await run(['edit', id, '--text', ' '])).code).toBe(2);
    expect((await run(['edit', id, '--text', 'x', '--read-only'])).code).toBe(5);
    expect((await run(['edit', 'n_0000aaaa', '--text', 'x'])).code).toBe(3);
    expect((await run(['call', 'memory_edit', `id=${id}`, 'text=x', 'hash=y'])).code).toBe(5);
  });

  it.skipIf(!hasScript())('opens an editor, and keeps the typed text if it cannot be saved', async () => {
    const { folder, env, lore, json } = createPlace();
    const { id } = await json('remember', 'Deploys are on Mondays.');
    const program = join(folder, 'editor.cjs');
    const edit = async (code: string) => {
      writeFileSync(
        program,
        `#!${process.execPath}\nconst fs = require('fs'); const file = process.argv.at(-1);\n${code}`,
      );
      chmodSync(program, 0o755);
      const command = `"${process.execPath}" "${join(root, 'bin/lore.cjs')}" edit ${id}`;
      const child = spawn('script', ['-qec', command, '/dev/null'], {
        cwd: folder,
        env: { PATH: process.env.PATH, EDITOR: program, ...env },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      let output = '';
      child.stdout.on('data', (part) => {
        output += part;
      });
      await once(child, 'close');
      return output;
    };
    const noteFile = `fs.writeFileSync('${join(folder, 'file')}', file);`;
    expect(await edit(`${noteFile} fs.writeFileSync(file, 'Deploys are on Fridays.\\n')`)).toContain(`Edited ${id}.`);
    expect(existsSync(readFileSync(join(folder, 'file'), 'utf8'))).toBe(false);
    expect(await edit('')).toContain('unchanged');
    const other = `"${process.execPath}" "${join(root, 'bin/lore.cjs')}" edit ${id} --text "Deploys stop."`;
    const output = await edit(`require('child_process').execSync('${other}'); fs.writeFileSync(file, 'Mine.')`);
    expect(output).toContain('it was changed meanwhile');
    const [, kept = ''] = /Your text was saved to (\S+)/.exec(output) ?? [];
    expect(readFileSync(kept, 'utf8')).toBe('Mine.');
    expect(await lore('show', id)).toContain('Deploys stop.');
  });
});

/** Gives a command a terminal. */
function hasScript(): boolean {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
  } catch {
    return false;
  }
}
