// Cloning with the user's git: one commit, no blobs beyond a megabyte, and nothing of the repository is ever run. No hook,
// no submodule, no filter of its attributes; what a server or a tree could blow up is bounded.
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LoreError } from '../../../core/error.ts';
import { type GitLimits, streamGit } from '../../../graph/git.ts';
import { explainClone } from './clone-error.ts';
import type { Bounds } from './clones.ts';

/** Larger files are not fetched where the server can leave them out. */
export const largestBlob = '1m';

const settings = [
  'protocol.allow=never',
  'protocol.https.allow=always',
  'protocol.http.allow=always',
  'protocol.ssh.allow=always',
  'protocol.git.allow=always',
  'protocol.file.allow=always',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'core.askPass=',
  'core.protectNTFS=true',
  'core.protectHFS=true',
  'core.autocrlf=false',
  'core.bigFileThreshold=32m',
  'http.lowSpeedLimit=1',
  'http.lowSpeedTime=30',
  'gc.auto=0',
  'maintenance.auto=false',
  'advice.detachedHead=false',
].flatMap((pair) => ['-c', pair]);

/** What the tree says of filters, encodings and line ends does not count here: this has the last word. */
const attributes = '* -filter -text -ident -eol -working-tree-encoding -diff -merge\n';
const checkSizeEveryMs = 500;

/** The commit that the remote's HEAD names. */
export async function askRemoteHead(folder: string, url: string, bounds: Bounds): Promise<string> {
  const told = await runOnline(folder, url, ['ls-remote', '--quiet', '--', url, 'HEAD'], bounds);
  return /^([0-9a-f]{40,64})\tHEAD$/m.exec(told)?.[1] ?? '';
}

/** Makes the folder; gives back the commit. */
export async function cloneTree(folder: string, url: string, bounds: Bounds): Promise<string> {
  await mkdir(folder, { recursive: true });
  await run(folder, ['init', '--quiet', '--template=', '--initial-branch=main'], bounds);
  await mkdir(join(folder, '.git', 'info'), { recursive: true });
  await writeFile(join(folder, '.git', 'info', 'attributes'), attributes);
  await run(folder, ['config', 'remote.origin.url', url], bounds);
  await fetchHead(folder, url, bounds);
  const commit = (await run(folder, ['rev-parse', '--verify', 'FETCH_HEAD^{commit}'], bounds)).trim();
  await run(folder, ['update-ref', '--no-deref', 'HEAD', commit], bounds);
  await layOut(folder, url, commit, bounds);
  return commit;
}

async function fetchHead(folder: string, url: string, bounds: Bounds): Promise<void> {
  const fetch = ['fetch', '--progress', '--no-tags', '--no-recurse-submodules', '--no-auto-maintenance'];
  const lean = ['--depth=1', `--filter=blob:limit=${largestBlob}`];
  const stop = boundSize(folder, url, bounds);
  try {
    await runOnline(folder, url, [...fetch, ...lean, 'origin', 'HEAD'], stop.bounds).catch((error: unknown) => {
      if (!isDumb(error)) throw error;
      return runOnline(folder, url, [...fetch, 'origin', 'HEAD'], stop.bounds);
    });
  } finally {
    stop();
  }
}

/** Servers that only hand out files know no part of a history. */
function isDumb(error: unknown): boolean {
  return error instanceof LoreError && error.cause instanceof Error && /dumb http transport/.test(error.cause.message);
}

/** Git has no bound of its own for what it fetches. */
function boundSize(folder: string, url: string, bounds: Bounds): { (): void; bounds: Bounds } {
  const tooLarge = new AbortController();
  const timer = setInterval(async () => {
    if ((await sizeOfPacks(folder)) <= bounds.maxBytes) return;
    tooLarge.abort(refuseSize(url, bounds.maxBytes));
  }, checkSizeEveryMs);
  const stop = () => clearInterval(timer);
  return Object.assign(stop, { bounds: { ...bounds, signal: AbortSignal.any([bounds.signal, tooLarge.signal]) } });
}

async function sizeOfPacks(folder: string): Promise<number> {
  const packs = join(folder, '.git', 'objects', 'pack');
  const names = await readdir(packs).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(packs, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Writes the files, but for those that were not fetched. */
async function layOut(folder: string, url: string, commit: string, bounds: Bounds): Promise<void> {
  const sizes = await readSizes(folder, bounds);
  const missing: string[] = [];
  let [files, bytes] = [0, 0];
  for await (const { id, path } of listTree(folder, commit, bounds)) {
    const size = sizes.get(id);
    if (size === undefined) missing.push(path);
    bytes += size ?? 0;
    if (++files > bounds.maxFiles) {
      throw new LoreError('limit_exceeded', `Cannot clone "${url}": it has more than ${bounds.maxFiles} files`);
    }
    if (bytes > bounds.maxBytes) throw refuseSize(url, bounds.maxBytes);
  }
  await run(folder, ['read-tree', commit], bounds);
  for (let at = 0; at < missing.length; at += 200) {
    const some = missing.slice(at, at + 200);
    await run(folder, ['update-index', '--skip-worktree', '--', ...some], bounds);
  }
  await run(folder, ['checkout-index', '--all', '--index', '--quiet'], bounds);
}

async function readSizes(folder: string, bounds: Bounds): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  const format = '--batch-check=%(objectname) %(objecttype) %(objectsize)';
  for await (const line of lines(folder, ['cat-file', '--batch-all-objects', '--unordered', format], '\n', bounds)) {
    const [id = '', type, size] = line.split(' ');
    if (type === 'blob') sizes.set(id, Number(size));
  }
  return sizes;
}

async function* listTree(folder: string, commit: string, bounds: Bounds) {
  for await (const line of lines(folder, ['ls-tree', '-r', '-z', '--full-tree', commit], '\0', bounds)) {
    const [, type, id, path] = /^\d+ (\w+) ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    if (type === 'blob' && id !== undefined && path !== undefined) yield { id, path };
  }
}

async function* lines(folder: string, args: readonly string[], end: string, bounds: Bounds) {
  let rest = '';
  for await (const part of streamGit(folder, [...settings, ...args], limitsOf(bounds))) {
    const found = (rest + part).split(end);
    rest = found.pop() ?? '';
    yield* found;
  }
}

async function run(folder: string, args: readonly string[], bounds: Bounds, more: GitLimits = {}): Promise<string> {
  let told = '';
  for await (const part of streamGit(folder, [...settings, ...args], { ...limitsOf(bounds), ...more })) told += part;
  return told;
}

async function runOnline(folder: string, url: string, args: readonly string[], bounds: Bounds): Promise<string> {
  try {
    return await run(folder, args, bounds, { online: { explain: (complaint) => explainClone(url, complaint) } });
  } catch (error) {
    if (!(error instanceof LoreError) || error.word !== 'timeout') throw error;
    throw new LoreError('timeout', `Cannot clone "${url}": its host has stopped answering`, { cause: error });
  }
}

function limitsOf({ signal, silenceMs }: Bounds): GitLimits {
  return { signal, silenceMs };
}

function refuseSize(url: string, maxBytes: number): LoreError {
  const megabytes = Math.round(maxBytes / 1024 ** 2);
  return new LoreError('limit_exceeded', `Cannot clone "${url}": it is larger than ${megabytes} MB`, {
    hint: 'Clone it yourself, and name its folder in the setting roots.',
  });
}
