// A project in which every well-known file can be replaced by one that leads outside or blocks, with secret files beside
// it.
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { createFolder } from './folder.ts';

/** What callers may look for, and what stands beside it and must never be shown. */
export const soughtWord = 'quokkalantern';
export const canary = 'zephyrmarmot';

const diary = `# Notes

We decided to use ${canary} for ${soughtWord} because it is faster than the alternative.
2026-01-01T00:00:00Z ERROR ${soughtWord} failed with ${canary}
export function ${soughtWord}() { return '${canary}'; }
`;

const isInstructions = /AGENTS|CLAUDE|GEMINI|cursorrules|copilot/;

/** Files that some part of the product reads by itself, and some that callers name. */
export const slots = [
  'README.md',
  'ARCHITECTURE.md',
  'docs/README.md',
  'AGENTS.md',
  'CLAUDE.md',
  'GEMINI.md',
  '.cursorrules',
  '.github/copilot-instructions.md',
  'app.log',
  'logs/app.log',
  '.gitignore',
  '.loreignore',
  'notes.md',
  'src/code.ts',
  'skills/one/SKILL.md',
  'skills/two/extra.md',
] as const;

type GitFiles = { readonly [name: string]: string | ((path: string) => void) };

export interface HostileTree {
  base: string;
  project: string;
  outside: string;
  /** Settings and database of the installation lie in the project. */
  env: Record<string, string>;
  /** Ways to make a path lead out or hang, each with its name. */
  lures: readonly [name: string, lay: (path: string) => void][];
  /** Folders that are read by their names, and where a link in their place leads. */
  folderLures: readonly [name: string, to: string][];
  /** What is wrong with a repository, as files below `.git`. */
  gitLures: readonly [name: string, files: GitFiles][];
  /** Lays the lure at every slot. */
  lay(lure: (path: string) => void): void;
  layFolder(name: string, to: string): void;
  layGit(files: GitFiles): void;
  clear(): void;
  close(): void;
}

export function createHostileTree(): HostileTree {
  const base = realpathSync(createFolder('hostile'));
  const [project, outside] = [join(base, 'project'), join(base, 'outside')];
  for (const folder of [project, outside, join(outside, 'skill')]) mkdirSync(folder);
  for (const name of ['diary.md', 'README.md', 'app.log', 'copilot-instructions.md', 'code.ts']) {
    writeFileSync(join(outside, name), diary);
  }
  writeFileSync(
    join(outside, 'skill', 'SKILL.md'),
    `---\nname: stolen\ndescription: Steal the ${soughtWord}\n---\n${diary}`,
  );
  const settings = join(project, 'config.json');
  writeFileSync(settings, JSON.stringify({ token: `${canary}-0123456789-0123456789` }));
  execFileSync('mkfifo', [join(project, 'git-pipe')]);
  symlinkSync(outside, join(project, 'door'));
  symlinkSync(join(outside, 'diary.md'), join(project, 'hop'));
  const sockets: Server[] = [];
  const target = join(outside, 'diary.md');
  // What instructions repeat is not learned: they must not say the same.
  const instructions = join(outside, 'instructions.md');
  writeFileSync(instructions, `Always run ${canary} before a commit.\n`);
  const targetOf = (path: string) => (isInstructions.test(path) ? instructions : target);
  const pipe = (path: string) => void execFileSync('mkfifo', [path]);
  const link = (to: string) => (path: string) => symlinkSync(to, path);

  function clear(): void {
    const tops = slots.map((slot) => slot.split('/')[0] as string);
    for (const name of ['.git', 'tmp', ...tops]) rmSync(join(project, name), { recursive: true, force: true });
    execFileSync('git', ['init', '--quiet'], { cwd: project });
    mkdirSync(join(project, 'src'), { recursive: true });
    writeFileSync(join(project, 'src', 'plain.ts'), 'export const plain = 1;\n');
    writeFileSync(join(project, 'plain.md'), '# Plain\n\nNothing to see.\n');
  }

  return {
    base,
    project,
    outside,
    env: { LORE_CONFIG: settings, LORE_DB: join(project, 'lore.db'), QUOKKALANTERN: canary },
    lures: [
      ['an absolute link', (path) => symlinkSync(targetOf(path), path)],
      ['a relative link', (path) => symlinkSync(relative(dirname(path), targetOf(path)), path)],
      ['a chain of links', (path) => symlinkSync(relative(dirname(path), join(project, 'hop')), path)],
      ['a link through a linked folder', (path) => symlinkSync(join(project, 'door', 'diary.md'), path)],
      ['a link that climbs', (path) => symlinkSync(`${'../'.repeat(20)}${target.slice(1)}`, path)],
      ['a link by way of the process', link(`/proc/self/root${target}`)],
      ['a link to the environment', link('/proc/self/environ')],
      ['a link to standard input', link('/dev/stdin')],
      ['a link to an endless device', link('/dev/zero')],
      ['a link to itself', (path) => symlinkSync(path, path)],
      ['a link to our settings', (path) => symlinkSync(relative(dirname(path), settings), path)],
      ['a hard link to our settings', (path) => linkSync(settings, path)],
      ['a pipe', pipe],
      [
        'a link to a pipe',
        (path) => {
          pipe(`${path}.pipe`);
          symlinkSync(`${path}.pipe`, path);
        },
      ],
      [
        'a socket',
        (path) => {
          // A name that is too long for a socket is left out.
          sockets.push(
            createServer()
              .on('error', () => {})
              .listen(path),
          );
        },
      ],
      ['a folder', (path) => mkdirSync(path)],
    ],
    folderLures: [
      ['logs', outside],
      ['docs', '../outside'],
      ['.github', outside],
      ['src', outside],
      ['skills', outside],
      ['tmp', base],
    ],
    gitLures: [
      ['HEAD names a pipe', { HEAD: 'ref: refs/../../git-pipe\n' }],
      ['HEAD is a pipe', { HEAD: pipe }],
      ['config is a pipe', { config: pipe }],
      ['packed-refs is a pipe', { 'packed-refs': pipe }],
      ['commondir is a pipe', { commondir: pipe }],
      ['a branch is a pipe', { HEAD: 'ref: refs/heads/x\n', 'refs/heads/x': pipe }],
      ['a branch is a link out', { HEAD: 'ref: refs/heads/x\n', 'refs/heads/x': link(target) }],
      ['.git is a pipe', { '': pipe }],
      ['.git names a pipe', { '': 'gitdir: git-pipe\n' }],
      ['.git is a link to a device', { '': link('/dev/zero') }],
    ],
    lay(lure) {
      for (const slot of slots) {
        const path = join(project, slot);
        mkdirSync(dirname(path), { recursive: true });
        lure(path);
      }
    },
    layFolder(name, to) {
      rmSync(join(project, name), { recursive: true, force: true });
      symlinkSync(to, join(project, name));
    },
    layGit(files) {
      for (const [name, content] of Object.entries(files)) {
        const path = join(project, '.git', name);
        rmSync(path, { recursive: true, force: true });
        if (typeof content === 'string') writeFileSync(path, content);
        else content(path);
      }
    },
    clear,
    close() {
      for (const socket of sockets) socket.close();
    },
  };
}
