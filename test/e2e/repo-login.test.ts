// A login in a git address, from the caller or from the remote of the project, is never written to a file.
import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { commitFiles, runGit, startHttp } from '../support/git-server.ts';
import { runLore } from '../support/lore.ts';

const token = 'ghs_16C7e42F292c6912E7710c838347Ae178B4a';
const plain = 'walrusword';

/** Every file below a folder that holds one of the words. */
function findIn(folder: string, words: readonly string[]): string[] {
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
  return files.filter((path) => {
    const text = readFileSync(join(folder, path), 'latin1');
    return words.some((word) => text.includes(word));
  });
}

it('a login: is stored nowhere, whether it comes from the caller, the remote or the settings of git', async () => {
  const base = realpathSync(createFolder('login'));
  const [data, project, served] = ['data', 'project', 'served'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [data, project, served]) mkdirSync(folder);
  commitFiles(join(served, 'private.git'), { 'README.md': '# Private walrus\n' });
  const server = await startHttp(served, { login: `x-access-token:${token}` });
  onTestFinished(() => server.close());
  const address = (login: string) => server.url.replace('//', `//${login}@`);
  runGit(project, 'init', '--quiet');
  runGit(project, 'remote', 'add', 'origin', `https://x-access-token:${token}@github.com/owner/walrus.git`);
  writeFileSync(join(project, 'a.ts'), 'export const walrus = 1;\n');
  // As CI systems set it up: git itself adds the login.
  writeFileSync(
    join(base, 'gitconfig'),
    `[url "${address(`x-access-token:${token}`)}/"]\n\tinsteadOf = ${server.url}/\n`,
  );
  const env = {
    HOME: join(base, 'home'),
    LORE_DB: join(data, 'lore.db'),
    XDG_DATA_HOME: join(data, 'share'),
    GIT_CONFIG_GLOBAL: join(base, 'gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const lore = (...args: string[]) => runLore(args, { env, cwd: project });
  expect(await lore('remember', 'The walrus is private.')).toMatchObject({ code: 0 });
  expect(await lore('index_repository')).toMatchObject({ code: 0 });
  const read = (repo: string) => lore('read_file', 'README.md', '--repo', repo);
  expect(await read(`${server.url}/private.git`)).toMatchObject({ code: 0, stdout: expect.stringContaining('walrus') });
  for (const login of [token, plain, `ada:${plain}`]) {
    const { code, stdout, stderr } = await read(`${address(login)}/private.git`);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain('its address contains a login');
    expect(stdout + stderr).not.toMatch(new RegExp(`${token}|${plain}`));
  }
  expect(readdirSync(data)).toEqual(expect.arrayContaining(['lore.db', 'share']));
  expect(findIn(data, [token, plain, Buffer.from(`x-access-token:${token}`).toString('base64')])).toEqual([]);
});
