// A program outside the package that builds on it, as docs/guide/embedders.md describes.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { root } from '../support/bundle.ts';
import { createFolder } from '../support/folder.ts';

async function runEmbedder(): Promise<{ [fact: string]: unknown }> {
  const folder = createFolder('embedder');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/lorekeeper'), 'junction');
  cpSync(new URL('./embedder.mjs', import.meta.url), join(folder, 'main.mjs'));
  const { stdout } = await promisify(execFile)(process.execPath, ['main.mjs'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, LORE_DB: join(folder, 'lore.db'), BOARD_COLOUR: 'green' },
  });
  return JSON.parse(stdout);
}

describe('a program that embeds the server', () => {
  it('adds a service with a tool, a setting, a table, routes, a command and an observer', async () => {
    const seen = await runEmbedder();
    expect(seen.called).toEqual({ pinned: 1 });
    expect(seen.remembered).toMatch(/^n_/);
    expect(seen.rows).toEqual([{ text: 'ship it', colour: 'green' }]);
    expect(seen.page).toEqual({ status: 200, type: 'text/html', body: '<p>ship it</p>' });
    expect(seen.rest).toEqual({ status: 200, body: { rest: 'a/b', query: '1' } });
    expect(seen.forbidden).toBe(403);
    expect(seen.missing).toBe(404);
    expect(seen.commands).toEqual(['board']);
    expect(seen.observed).toEqual(
      expect.arrayContaining(['board_pin ok', 'remember ok', 'GET /board/page ok', 'GET /board/secret forbidden']),
    );
    expect(seen.reopened).toBe('ok');
  });
});
