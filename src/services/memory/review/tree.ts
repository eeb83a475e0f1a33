// The files for review of the default branch, by git and not from the disk: what somebody proposes in a branch or a fork is never
// read.
import { isUtf8 } from 'node:buffer';
import { LoreError } from '../../../core/error.ts';
import { inOneLine, quoteName } from '../../../core/text/terminal.ts';
import { streamGit } from '../../../graph/git/git.ts';
import { readBlobs } from '../../../graph/git/objects.ts';
import type { Scope } from '../../../graph/project/scope.ts';
import { type DefaultBranch, findDefaultBranch } from '../../../graph/share/default-branch.ts';
import type { ReviewOrigin } from '../../../graph/share/reviewed.ts';
import { reviewFolder } from './file.ts';

export interface MergedFile {
  path: string;
  blob: string;
}

export interface SkippedFile {
  path: string;
  problem: string;
}

export interface MergedTree extends DefaultBranch {
  files: MergedFile[];
  skipped: SkippedFile[];
}

const mostFiles = 2_000;
const maxListBytes = 1 << 20;
/** History may contain more than the branch does today. */
const maxLogBytes = 16 << 20;
const maxBytes = 200_000;
const atOnce = 50;
const longestName = 100;

/** Undefined if there are no such files. */
export async function openTree(scope: Scope): Promise<MergedTree | undefined> {
  try {
    const branch = await findDefaultBranch(scope);
    const tree = branch && { ...branch, ...(await listFiles(scope.project.root, branch.commit)) };
    return tree && tree.files.length + tree.skipped.length > 0 ? tree : undefined;
  } catch (error) {
    // Whatever git has against this clone, sync does not depend on it.
    if (!(error instanceof LoreError)) throw error;
    const isLarge = error.word === 'limit_exceeded';
    const problem = isLarge ? 'it has too many files' : `git cannot read it: ${error.message}`;
    return { repository: '', commit: '', files: [], skipped: [{ path: reviewFolder, problem }] };
  }
}

async function listFiles(root: string, commit: string): Promise<Pick<MergedTree, 'files' | 'skipped'>> {
  const parts: string[] = [];
  const args = ['ls-tree', '-r', '-z', '--full-tree', commit, '--', `${reviewFolder}/`];
  for await (const part of streamGit(root, args, { maxBytes: maxListBytes })) parts.push(part);
  const files = parts
    .join('')
    .split('\0')
    .flatMap((line) => {
      // Neither links nor submodules.
      const [, blob, path] = /^100\d+ blob ([0-9a-f]+)\t(.*\.md)$/s.exec(line) ?? [];
      return blob === undefined || path === undefined || path.endsWith('/README.md') ? [] : [{ path, blob }];
    });
  const more = files.length - mostFiles;
  const problem = `${more} of its ${files.length} files are not read: ${mostFiles} is the limit`;
  return { files: files.slice(0, mostFiles), skipped: more > 0 ? [{ path: reviewFolder, problem }] : [] };
}

/** The files in their order, each with its text or why it has none. */
export async function* readTexts(
  root: string,
  files: readonly MergedFile[],
): AsyncGenerator<MergedFile & ({ text: string } | { problem: string })> {
  for (let at = 0; at < files.length; at += atOnce) {
    const some = files.slice(at, at + atOnce);
    const blobs = [...new Set(some.map(({ blob }) => blob))];
    const found = await readBlobs(root, blobs, maxBytes);
    for (const file of some) yield { ...file, ...decode(file.path, found.get(file.blob)) };
  }
}

function decode(path: string, bytes: Buffer | 'too large' | undefined): { text: string } | { problem: string } {
  if (path.includes('\uFFFD')) return { problem: 'its name is not UTF-8' };
  if (bytes === undefined) return { problem: 'this clone does not have its content; git pull gets it' };
  if (bytes === 'too large') return { problem: 'it is too large' };
  return isUtf8(bytes) && !bytes.includes(0)
    ? { text: bytes.toString('utf8') }
    : { problem: 'it is not text in UTF-8' };
}

/** An earlier version; undefined if it is gone. */
export async function readVersion(root: string, blob: string): Promise<string | undefined> {
  const bytes = (await readBlobs(root, [blob], maxBytes)).get(blob);
  return bytes instanceof Buffer ? bytes.toString('utf8') : undefined;
}

/** The last commit of each file. Without it, because the clone is shallow or the history too long, the newest commit counts. */
export async function readOrigins(
  root: string,
  { commit, files }: Pick<MergedTree, 'commit' | 'files'>,
): Promise<(path: string) => ReviewOrigin> {
  const wanted = new Set(files.map(({ path }) => path));
  const origins = new Map<string, string[]>();
  const format = '--format=%x01%h%x00%an%x00%ct%x00';
  const args = ['log', format, '--name-only', '--no-renames', '-z', commit, '--', `${reviewFolder}/`];
  let origin = ['', '', ''];
  for await (const field of wanted.size === 0 ? [] : readFields(root, args)) {
    if (origin.length < 3) origin.push(field);
    else if (field.startsWith('\x01')) origin = [field.slice(1)];
    else {
      const path = field.replace(/^\n/, '');
      if (wanted.delete(path)) origins.set(path, origin);
      if (wanted.size === 0) break;
    }
  }
  return (path) => {
    const [hash = commit.slice(0, 7), author = '', seconds] = origins.get(path) ?? [];
    const by = inOneLine(author).slice(0, longestName);
    const from = by === '' ? 'team' : `team: ${by}`;
    const at = seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1000;
    return { by, at, source: `${from}, ${quoteName(path)} in ${hash}` };
  };
}

async function* readFields(root: string, args: readonly string[]): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const part of streamGit(root, args, { maxBytes: maxLogBytes })) {
      const fields = (rest + part).split('\0');
      rest = fields.pop() as string;
      yield* fields;
    }
  } catch (error) {
    // What was read until then is right.
    if (!(error instanceof LoreError)) throw error;
  }
}
