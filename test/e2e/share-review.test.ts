// Memories as files, by the built command line: proposed, merged and synced without a chosen remote; written and read back.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { runLore } from '../support/lore.ts';
import { edit, push, write } from '../support/review.ts';
import { createRemote, git } from '../support/share.ts';

let folder: string;
let env: Record<string, string>;

beforeEach(() => {
  folder = join(createFolder('clone'), 'project');
  mkdirSync(folder);
  git(folder, 'init', '-q');
  git(folder, 'remote', 'add', 'origin', createRemote());
  env = { LORE_DB: join(createFolder('db'), 'lore.db') };
});

const lore = (...args: string[]) => runLore(args, { env, cwd: folder });

async function remember(...args: string[]): Promise<string> {
  return JSON.parse((await lore('remember', ...args, '--json')).stdout).id;
}

describe('lore share --review', () => {
  it('writes a file that counts when it is merged, whatever is checked out', async () => {
    const id = await remember('Deploys go out on Tuesdays.');
    const { stdout } = await lore('share', id, '--review');
    expect(stdout).toBe(`.lore/team/deploys-go-out-on-tuesdays-${id.slice(-6)}.md\n`);
    const none = await lore('sync', 'now');
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('no remote was chosen') });
    push({ folder });
    git(folder, 'checkout', '-q', '--orphan', 'empty');
    git(folder, 'rm', '-r', '-q', '-f', '.');
    expect(await lore('sync', 'now')).toEqual({ code: 0, stdout: '.lore/team  0 new, 1 changed\n', stderr: '' });
    expect((await lore('sync', 'status')).stdout).toContain('1 memory shared');
  });

  it('prints names of files that a terminal would obey as text, and not all of thousands', async () => {
    const bad = write({ id: 'wrong' }, 'Text.');
    const many = Array.from({ length: 30 }, (_, at) => [`z${at}.md`, `${bad}${at}\n`]);
    edit({ folder }, { ...Object.fromEntries(many), 'a\u001b[31m\nSkipped.md': bad });
    push({ folder });
    const { code, stderr } = await lore('sync', 'now');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^Skipped "\.lore\/team\/a\\u001b\[31m\\nSkipped\.md", .+ and 26 more: its id is not valid\n$/,
    );
  });

  it.each([['--dry-run'], ['--undo'], ['--level=mine']])('refuses %s, and writes nothing', async (option) => {
    const id = await remember('Deploys go out on Tuesdays.');
    const { code, stderr } = await lore('share', id, '--review', option);
    expect({ code, stderr: stderr.split('\n')[0] }).toEqual({
      code: 2,
      stderr: `lore: --review cannot be combined with ${option.split('=')[0]}`,
    });
    expect(readdirSync(folder)).toEqual(['.git']);
  });
});

describe('lore export --format markdown', () => {
  it('writes files that lore import reads, also with line ends of Windows and headings', async () => {
    await remember('Ports\n=======\nThe port is 8443.', '--tags', 'ops', '--knowledge', 'rule');
    await remember('Staging is down.', '--expires', '2099-01-31');
    expect(await lore('export', '--format', 'markdown', 'notes')).toMatchObject({
      code: 0,
      stderr: '2 files in notes\n',
    });
    const files = readdirSync(join(folder, 'notes')).map((name) => join(folder, 'notes', name));
    for (const file of files) writeFileSync(file, `\uFEFF${readFileSync(file, 'utf8').replaceAll('\n', '\r\n')}`);
    env = { LORE_DB: join(createFolder('db'), 'lore.db') };
    expect((await lore('import', 'notes')).stdout).toContain('Stored 2');
    const { memories } = JSON.parse((await lore('recall', 'port or staging', '--json')).stdout);
    expect(memories).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ text: 'Ports\n=======\nThe port is 8443.', knowledge: 'rule', tags: ['ops'] }),
        expect.objectContaining({ text: 'Staging is down.', expires: expect.stringMatching(/^2099-01-3[01]T/) }),
      ]),
    );
  });
});
