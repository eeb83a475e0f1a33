// Settings and links of a repository that make git start a program: plain git does, which shows that each trap works; none
// of our tools that look at a repository does.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { runGit } from '../support/git-server.ts';
import { openServices, type Services } from '../support/services.ts';

interface Trap {
  folder: string;
  /** Leaves a trace. */
  program: string;
  set(key: string, value: string): void;
  write(path: string, text: string): void;
}

/** A trap, and what a person would do to step into it. */
const traps: (readonly [name: string, lay: (trap: Trap) => void, step: readonly string[] | 'log'])[] = [
  ['core.fsmonitor', ({ set, program }) => set('core.fsmonitor', program), ['status']],
  [
    'core.hooksPath',
    ({ folder, set, program }) => {
      mkdirSync(join(folder, 'hooks'));
      for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction'])
        writeFileSync(join(folder, 'hooks', hook), `#!/bin/sh\nexec '${program}'\n`, { mode: 0o755 });
      set('core.hooksPath', join(folder, 'hooks'));
    },
    ['checkout', '--', 'good.ts'],
  ],
  [
    'core.sshCommand, by objects that are missing',
    ({ folder, set, program }) => {
      const tree = runGit(folder, 'rev-parse', 'HEAD~1^{tree}').trim();
      rmSync(join(folder, '.git/objects', tree.slice(0, 2), tree.slice(2)));
      set('core.sshCommand', program);
      set('core.repositoryFormatVersion', '1');
      set('extensions.partialClone', 'origin');
      set('remote.origin.url', 'ssh://host.invalid/x');
      set('remote.origin.promisor', 'true');
    },
    ['log', '--name-only'],
  ],
  [
    'remote.origin.uploadPack, by objects that are missing',
    ({ folder, set, program }) => {
      const tree = runGit(folder, 'rev-parse', 'HEAD~1^{tree}').trim();
      rmSync(join(folder, '.git/objects', tree.slice(0, 2), tree.slice(2)));
      set('remote.origin.uploadPack', program);
      set('core.repositoryFormatVersion', '1');
      set('extensions.partialClone', 'origin');
      set('remote.origin.url', folder);
      set('remote.origin.promisor', 'true');
    },
    ['log', '--name-only'],
  ],
  [
    'filter.clean',
    ({ set, write, program }) => {
      set('filter.x.clean', program);
      write('.gitattributes', '* filter=x\n');
    },
    ['diff', '--name-only'],
  ],
  [
    'filter.process',
    ({ set, write, program }) => {
      set('filter.x.process', program);
      set('filter.x.required', 'true');
      write('.gitattributes', '* filter=x\n');
    },
    ['diff', '--name-only'],
  ],
  [
    'filter.smudge',
    ({ set, write, program }) => {
      set('filter.x.smudge', program);
      write('.gitattributes', '* filter=x\n');
    },
    ['checkout', '--', 'good.ts'],
  ],
  [
    'diff.textconv',
    ({ set, write, program }) => {
      set('diff.x.textconv', program);
      write('.gitattributes', '* diff=x\n');
    },
    ['log', '-p'],
  ],
  ['diff.external', ({ set, program }) => set('diff.external', program), ['diff']],
  [
    'diff.command',
    ({ set, write, program }) => {
      set('diff.x.command', program);
      write('.gitattributes', '* diff=x\n');
    },
    ['diff'],
  ],
  // Only where there is a terminal, which `script` stands for.
  ...(existsSync('/usr/bin/script') && process.platform === 'linux'
    ? [['core.pager', ({ set, program }: Trap) => set('core.pager', program), 'log'] as const]
    : []),
  ['alias', ({ set, program }) => set('alias.lg', `!${program}`), ['lg']],
  [
    'gpg.program, by a commit that is signed',
    ({ folder, set, write, program }) => {
      const plain = runGit(folder, 'cat-file', 'commit', 'HEAD');
      const signature = '-----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----';
      write('signed', plain.replace('\n\n', `\ngpgsig ${signature}\n\n`));
      const commit = runGit(folder, 'hash-object', '-t', 'commit', '-w', '--literally', 'signed').trim();
      runGit(folder, 'update-ref', 'HEAD', commit);
      set('gpg.program', program);
      set('log.showSignature', 'true');
    },
    ['log'],
  ],
  [
    'include.path',
    ({ folder, set, write, program }) => {
      write('more', `[core]\n\tfsmonitor = ${program}\n`);
      set('include.path', join(folder, 'more'));
    },
    ['status'],
  ],
  [
    'includeIf',
    ({ folder, set, write, program }) => {
      write('more', `[core]\n\tfsmonitor = ${program}\n`);
      set(`includeIf.gitdir:${folder}/.path`, join(folder, 'more'));
    },
    ['status'],
  ],
];

describe.skipIf(process.platform === 'win32')('a repository whose settings start programs', () => {
  let services: Services;
  let trace: string;
  let program: string;
  beforeAll(async () => {
    const place = createFolder('trace');
    trace = join(place, 'was-run');
    program = join(place, 'evil');
    writeFileSync(program, `#!/bin/sh\necho "$0 $@" >> '${trace}'\nexit 1\n`);
    chmodSync(program, 0o755);
    services = await openServices(sqlite, realpathSync(createFolder('project')));
  });
  afterAll(() => services.close());

  function makeRepository(lay: (trap: Trap) => void): string {
    const folder = realpathSync(createFolder('armed'));
    const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
    runGit(folder, 'init', '--quiet', '--initial-branch=main');
    for (const text of ['export function goodWalrus() {}\n', 'export function goodWalrus() { return 1; }\n']) {
      write('good.ts', text);
      runGit(folder, 'add', '.');
      runGit(folder, 'commit', '--quiet', '--message=good');
    }
    lay({ folder, program, write, set: (key, value) => void runGit(folder, 'config', key, value) });
    write('good.ts', 'export function goodWalrus() { return 2; }\n');
    return folder;
  }

  function takeTrace(): boolean {
    const found = existsSync(trace);
    rmSync(trace, { force: true });
    return found;
  }

  it.each(traps)('runs none of them: %s', async (_, lay, step) => {
    const call = (name: string, args: object = {}) => services.call(name, args, folder);
    const folder = makeRepository(lay);
    takeTrace();
    const { id } = await call('checkpoint_save', { content: 'half of the walrus is done' });
    writeFileSync(join(folder, 'good.ts'), 'export function goodWalrus() { return 3; }\n');
    let { state } = await call('index_repository');
    while (state === 'indexing') ({ state } = await call('index_repository'));
    expect(state).toBe('complete');
    expect(await call('repo_symbol', { name: 'goodWalrus' })).toMatchObject({ path: 'good.ts' });
    await call('repo_map');
    await call('list_files');
    await call('read_file', { path: 'good.ts' });
    for (const mode of ['literal', 'regex', 'symbol', 'semantic'])
      await call('search_code', { query: 'goodWalrus', mode });
    await call('checkpoint_resume', { id });
    await call('troubleshoot', { error_message: 'Error: no clams\n    at goodWalrus (good.ts:1:3)\n' });
    expect(takeTrace()).toBe(false);
    // It would have worked.
    try {
      const isTerminal = step === 'log';
      const [file, args] = isTerminal ? ['script', ['-qec', 'git log', '/dev/null']] : ['git', step];
      execFileSync(file, args, { cwd: folder, stdio: 'ignore', timeout: 120_000 });
    } catch {
      // What it starts fails.
    }
    expect(takeTrace()).toBe(true);
  });
});
