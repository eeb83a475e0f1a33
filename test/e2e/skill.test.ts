// Skills as folders: the built command line, real folders.
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { runLore } from '../support/lore.ts';

let project: string;
let env: Record<string, string>;
let skills: string;

const lore = (...args: string[]) => runLore(args, { env, cwd: project });

async function json(...args: string[]) {
  const { code, stdout, stderr } = await lore(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

function write(path: string, text: string | Buffer, mode?: number): void {
  const target = join(skills, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  if (mode !== undefined) chmodSync(target, mode);
}

/** Every file below, by its path. */
function readTree(folder: string, below = ''): Record<string, string> {
  return Object.assign(
    {},
    ...readdirSync(join(folder, below), { withFileTypes: true }).map((entry) => {
      const path = join(below, entry.name);
      return entry.isDirectory() ? readTree(folder, path) : { [path]: readFileSync(join(folder, path), 'base64') };
    }),
  );
}

const forms =
  '\uFEFF---\r\nname: pdf-forms\r\ndescription: "Fill forms: fast."\r\nmetadata: {version: "1.0"}\r\n---\r\n\r\nFill them.';

beforeEach(() => {
  project = createFolder('project');
  skills = createFolder('skills');
  env = { LORE_DB: join(createFolder('data'), 'lore.db') };
  write('pdf-forms/SKILL.md', forms);
  write('pdf-forms/references/FORMS (ü).md', '# Forms\n');
  write('pdf-forms/scripts/fill.sh', '#!/bin/sh\n', 0o755);
  write('more/release/SKILL.md', '---\nname: release\ndescription: How to release.\n---\nPush the tag.\n');
});

describe('lore skill', () => {
  it('imports folders, and exports them byte for byte', async () => {
    const imported = await json('skill', 'import', skills);
    expect(imported).toEqual({
      skills: [
        { name: 'release', action: 'saved', version: '1', files: 0 },
        { name: 'pdf-forms', action: 'saved', version: '1.0', files: 2 },
      ],
      left: [],
      redacted: 0,
    });
    const out = join(createFolder('out'), 'skills');
    expect(await json('skill', 'export', out)).toMatchObject({ skills: ['pdf-forms', 'release'], written: 4 });
    const tree = readTree(out);
    const { 'more/release/SKILL.md': release, ...rest } = readTree(skills);
    expect(tree).toEqual({ ...rest, 'release/SKILL.md': release });
    expect(statSync(join(out, 'pdf-forms/scripts/fill.sh')).mode & 0o100).toBe(0o100);
    expect(await json('skill', 'export', out)).toMatchObject({ written: 0, unchanged: 4 });
    expect((await json('skill', 'import', out)).skills).toMatchObject([
      { action: 'unchanged' },
      { action: 'unchanged' },
    ]);
  });

  it('exports a saved skill in the standard format, and imports it unchanged', async () => {
    await json('skill_save', 'deploy', '--content', 'Deploy with care.', '--tags', 'ops,a b');
    const out = createFolder('out');
    await json('skill', 'export', out, 'deploy');
    expect(readFileSync(join(out, 'deploy/SKILL.md'), 'utf8')).toBe(
      '---\nname: deploy\ndescription: Deploy with care.\nmetadata:\n  tags: "ops, a b"\n---\n\nDeploy with care.',
    );
    expect((await json('skill', 'import', out)).skills).toMatchObject([{ name: 'deploy', action: 'unchanged' }]);
  });

  it('never overwrites existing files without --force', async () => {
    await json('skill', 'import', skills);
    const out = createFolder('out');
    mkdirSync(join(out, 'release'));
    writeFileSync(join(out, 'release/SKILL.md'), 'mine');
    const refused = await lore('skill', 'export', out);
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('--force') });
    expect(readTree(out)).toEqual({ 'release/SKILL.md': Buffer.from('mine').toString('base64') });
    await json('skill', 'export', out, '--force');
    expect(readFileSync(join(out, 'release/SKILL.md'), 'utf8')).toContain('Push the tag.');
  });

  it('follows no link, in or out', async () => {
    const outside = createFolder('outside');
    writeFileSync(join(outside, 'private.md'), 'private walrus');
    symlinkSync(join(outside, 'private.md'), join(skills, 'pdf-forms/private.md'));
    symlinkSync(outside, join(skills, 'pdf-forms/private'));
    symlinkSync(outside, join(skills, 'linked'));
    const imported = await json('skill', 'import', skills);
    expect(imported.left).toEqual([
      { path: 'pdf-forms/private', reason: 'a link' },
      { path: 'pdf-forms/private.md', reason: 'a link' },
    ]);
    const out = createFolder('out');
    symlinkSync(outside, join(out, 'release'));
    expect(await lore('skill', 'export', out, '--force')).toMatchObject({ code: 4 });
    expect(readdirSync(outside)).toEqual(['private.md']);
  });

  it('reports skipped files and imports the rest', async () => {
    write('pdf-forms/image.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]));
    write('pdf-forms/large.txt', 'x'.repeat(4_000_001));
    write('broken/SKILL.md', '---\nname: Broken Name\ndescription: x\n---\n');
    write('headless/SKILL.md', 'Just text.');
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    write('pdf-forms/token.md', `Use ${secret}`);
    const imported = await json('skill', 'import', skills);
    expect(
      imported.left.map(({ path, reason }: { path: string; reason: string }) => [path.split('/').at(-1), reason]),
    ).toEqual([
      ['broken', expect.stringContaining('Say "broken-name"')],
      ['headless', expect.stringContaining('no front matter')],
      ['image.png', 'not text'],
      ['large.txt', 'more than 4 MB in total'],
    ]);
    expect(imported.redacted).toBe(1);
    const read = await json('skill_search', '--name', 'pdf-forms', '--file', 'token.md');
    expect(read.content).toBe('Use [redacted:github-token]');
  });

  it('previews an import and stores nothing', async () => {
    expect((await json('skill', 'import', skills, '--dry-run')).skills).toHaveLength(2);
    expect((await json('skill_search')).skills).toEqual([]);
    expect(await lore('skill', 'import', join(skills, 'nowhere'))).toMatchObject({ code: 3 });
    expect(await lore('skill', 'import', createFolder('empty'))).toMatchObject({ code: 2 });
    expect(await lore('skill', 'export', skills, 'unknown')).toMatchObject({ code: 3 });
    expect(await lore('skill')).toMatchObject({ code: 2, stderr: expect.stringContaining('lore skill import') });
  });
});
