// Clones with the user's git: one commit, no blobs above a megabyte, and no code of the repository runs: no hooks, submodules
// or filters. Sizes are limited.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LoreError } from '../../../core/error.ts';
import { type GitLimits, streamGit } from '../../../graph/git/git.ts';
import { explainOnline } from '../../../graph/git/online-error.ts';
import { sizeError, withSizeLimit } from './clone-size.ts';
import type { Bounds } from './clones.ts';

/** Larger files are not fetched if the server supports it. */
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

/** Overrides filters, encodings and line endings from the tree's attributes. */
const attributes = '* -filter -text -ident -eol -working-tree-encoding -diff -merge\n';

/** The commit of the remote's HEAD. */
export async function askRemoteHead(folder: string, url: string, bounds: Bounds): Promise<string> {
  const output = await runOnline(folder, url, ['ls-remote', '--quiet', ...strict(url), '--', url, 'HEAD'], bounds);
  return /^([0-9a-f]{40,64})\tHEAD$/m.exec(output)?.[1] ?? '';
}

/** Creates the folder and returns the commit. */
export async function cloneTree(folder: string, url: string, bounds: Bounds): Promise<string> {
  await fetchHead(folder, url, bounds);
  const commit = (await run(folder, ['rev-parse', '--verify', 'FETCH_HEAD^{commit}'], bounds)).trim();
  await run(folder, ['update-ref', '--no-deref', 'HEAD', commit], bounds);
  await layOut(folder, url, commit, bounds);
  return commit;
}

async function fetchHead(folder: string, url: string, bounds: Bounds): Promise<void> {
  try {
    await fetchInto(folder, url, await chooseLean(dirname(folder), bounds), bounds);
  } catch (error) {
    if (!isDumb(error)) throw error;
    // Files of the failed attempt must not influence the next one.
    await rm(folder, { recursive: true, force: true });
    await fetchInto(folder, url, [], bounds);
  }
}

/** Fetches into an empty repository and restores its settings: after a partial fetch, later git commands would fetch more. */
async function fetchInto(folder: string, url: string, lean: readonly string[], bounds: Bounds): Promise<void> {
  await mkdir(folder, { recursive: true });
  await run(folder, ['init', '--quiet', '--template=', '--initial-branch=main'], bounds);
  await mkdir(join(folder, '.git', 'info'), { recursive: true });
  await writeFile(join(folder, '.git', 'info', 'attributes'), attributes);
  await run(folder, ['config', 'remote.origin.url', url], bounds);
  const config = join(folder, '.git', 'config');
  const before = await readFile(config);
  const options = [
    '--progress',
    '--no-tags',
    '--no-recurse-submodules',
    '--no-auto-maintenance',
    ...strict(url),
    ...lean,
  ];
  await withSizeLimit(join(folder, '.git', 'objects'), url, bounds, (limited) =>
    runOnline(folder, url, ['fetch', ...options, 'origin', 'HEAD'], limited),
  );
  await writeFile(config, before);
}

/** For a local path git also tries other folders, such as `x.git` for `x`, which were not validated. */
function strict(url: string): string[] {
  return url.startsWith('file:') ? ['--upload-pack=git-upload-pack --strict'] : [];
}

/** Partial only if git can be kept from fetching missing objects later, which a server could make endless. */
async function chooseLean(folder: string, bounds: Bounds): Promise<readonly string[]> {
  const version = await run(folder, ['version'], bounds);
  return ['--depth=1', ...(canStayPartial(version) ? [`--filter=blob:limit=${largestBlob}`] : [])];
}

/** The first patch of each version that supports GIT_NO_LAZY_FETCH. */
const firstPatch = new Map([
  [39, 4],
  [40, 2],
  [41, 1],
  [42, 2],
  [43, 4],
  [44, 1],
]);

export function canStayPartial(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = (/\d+(?:\.\d+)+/.exec(version)?.[0] ?? '').split('.').map(Number);
  if (major !== 2) return major > 2;
  return minor > 44 || patch >= (firstPatch.get(minor) ?? Number.POSITIVE_INFINITY);
}

/** File-only HTTP servers cannot send part of a history. */
function isDumb(error: unknown): boolean {
  return error instanceof LoreError && error.cause instanceof Error && /dumb http transport/.test(error.cause.message);
}

/** Writes the files, except those that were not fetched. */
async function layOut(folder: string, url: string, commit: string, bounds: Bounds): Promise<void> {
  const paths = new Map<string, string[]>();
  let files = 0;
  for await (const { id, path } of listTree(folder, commit, bounds)) {
    if (++files > bounds.maxFiles) {
      throw new LoreError('limit_exceeded', `Cannot clone "${url}": it has more than ${bounds.maxFiles} files`);
    }
    const same = paths.get(id);
    if (same) same.push(path);
    else paths.set(id, [path]);
  }
  const fetched = await readSizes(folder, paths, bounds);
  let bytes = 0;
  for (const [id, size] of fetched) bytes += size * (paths.get(id)?.length ?? 0);
  if (bytes > bounds.maxBytes) throw sizeError(url, bounds.maxBytes);
  const missing = [...paths].flatMap(([id, named]) => (fetched.has(id) ? [] : named));
  await run(folder, ['read-tree', commit], bounds);
  for (let at = 0; at < missing.length; at += 200) {
    const some = missing.slice(at, at + 200);
    await run(folder, ['update-index', '--skip-worktree', '--', ...some], bounds);
  }
  await run(folder, ['checkout-index', '--all', '--index', '--quiet'], bounds);
}

/** Only of the requested objects, because a history may have any number. */
async function readSizes(
  folder: string,
  wanted: ReadonlyMap<string, unknown>,
  bounds: Bounds,
): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  const format = '--batch-check=%(objectname) %(objectsize)';
  for await (const line of lines(folder, ['cat-file', '--batch-all-objects', '--unordered', format], '\n', bounds)) {
    const [id = '', size] = line.split(' ');
    if (wanted.has(id)) sizes.set(id, Number(size));
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
  const limits = { ...limitsOf(bounds), maxBytes: 1 << 20, ...more };
  let output = '';
  for await (const part of streamGit(folder, [...settings, ...args], limits)) output += part;
  return output;
}

async function runOnline(folder: string, url: string, args: readonly string[], bounds: Bounds): Promise<string> {
  try {
    return await run(folder, args, bounds, {
      online: { action: `clone "${url}"`, explain: (complaint) => explainOnline('clone', url, complaint) },
    });
  } catch (error) {
    if (!(error instanceof LoreError) || error.word !== 'timeout') throw error;
    throw new LoreError('timeout', `Cannot clone "${url}": its host stopped responding`, { cause: error });
  }
}

function limitsOf({ signal, silenceMs }: Bounds): GitLimits {
  return { signal, silenceMs };
}
