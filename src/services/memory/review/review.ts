// Review as a pull request: memories as files in the repository, which count when they are merged. Only the default branch is read,
// by git and not from the disk: what somebody proposes in a branch or a fork is never recalled.
import { lstatSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LoreError } from '../../../core/error.ts';
import { isInside } from '../../../core/path.ts';
import { inOneLine } from '../../../core/text/terminal.ts';
import { amendNode } from '../../../graph/amend.ts';
import { findDefaultBranch } from '../../../graph/git/default-branch.ts';
import { findGitDirectory } from '../../../graph/git/directory.ts';
import { askGit } from '../../../graph/git/git.ts';
import type { Node } from '../../../graph/node.ts';
import { ensureProject, nameNode, type Scope } from '../../../graph/project/scope.ts';
import { reviseNode } from '../../../graph/revise.ts';
import { listMemories, listReviewed, noteReviewed } from '../../../graph/share/reviewed.ts';
import { checkShare, openSharing, shareMemory } from '../../../graph/share/share.ts';
import { type MemoryFile, nameFile, readFile, reviewFolder, writeFile } from './file.ts';

export interface Reviewed {
  stored: number;
  changed: number;
  skipped: { path: string; problem: string }[];
}

const mostFiles = 2_000;
const maxBytes = 200_000;
const longestName = 100;

/** Writes one file for each memory, for a commit by the user; returns their paths. */
export function writeReview(scope: Scope, nodes: readonly Node[], by: string): string[] {
  const { root } = scope.project;
  if (root === '' || !findGitDirectory(root, new Map())) {
    throw new LoreError('invalid_input', 'Cannot write files for review: this folder is not a git repository');
  }
  for (const node of nodes) checkShare(scope, node, 'team');
  return nodes.map((node) => writeInside(root, `${reviewFolder}/${nameFile(node)}`, writeFile(node, by)));
}

/** The repository may contain links that lead out of it. */
function writeInside(root: string, path: string, text: string): string {
  mkdirSync(join(root, reviewFolder), { recursive: true });
  const target = join(root, path);
  const stats = lstatSync(target, { throwIfNoEntry: false });
  const isOut = !isInside(realpathSync.native(join(root, reviewFolder)), realpathSync.native(root));
  if (isOut || (stats && !stats.isFile())) {
    throw new LoreError('forbidden', `Cannot write "${path}": it is a link or leads out of the repository`);
  }
  writeFileSync(target, text);
  return path;
}

/** Stores what is new in the files of the default branch. */
export async function importReviewed(scope: Scope, by: string): Promise<Reviewed> {
  const reviewed: Reviewed = { stored: 0, changed: 0, skipped: [] };
  const { root } = scope.project;
  const commit = root === '' ? undefined : await findDefaultBranch(root);
  if (commit === undefined) return reviewed;
  const { store } = scope.opened;
  const project = scope.project.id;
  const known = await listReviewed(store, project);
  const files = await listFiles(root, commit);
  for (const { path, blob, size } of files.filter((file) => !known.includes(`${file.path}@${file.blob}`))) {
    const isFirst = !known.some((name) => name.startsWith(`${path}@`));
    const file =
      size > maxBytes
        ? { problem: 'it is too large' }
        : readFile((await askGit(root, ['cat-file', 'blob', blob])) ?? '');
    const problem = 'problem' in file ? file.problem : await take(scope, by, { path, commit, file, isFirst }, reviewed);
    // A broken one is reported each time, until somebody repairs it.
    if (problem === undefined) await noteReviewed(store, project, `${path}@${blob}`);
    else reviewed.skipped.push({ path, problem });
  }
  return reviewed;
}

async function listFiles(root: string, commit: string) {
  const output = await askGit(root, ['ls-tree', '-r', '-l', '-z', '--full-tree', commit, '--', `${reviewFolder}/`]);
  const files = (output ?? '').split('\0').flatMap((line) => {
    const [, blob, size, path] = /^100\d+ blob ([0-9a-f]+) +(\d+)\t(.*\.md)$/s.exec(line) ?? [];
    return blob === undefined || path === undefined ? [] : [{ path, blob, size: Number(size) }];
  });
  return files.filter(({ path }) => !path.endsWith('/README.md')).slice(0, mostFiles);
}

interface MergedFile {
  path: string;
  commit: string;
  file: MemoryFile;
  /** No version of it was read here before. */
  isFirst: boolean;
}

/** Returns why it was not used. */
async function take(scope: Scope, by: string, merged: MergedFile, reviewed: Reviewed): Promise<string | undefined> {
  const { path, file, isFirst } = merged;
  const { opened, projects } = scope;
  const id = file.id ?? nameNode('n', 'review', path);
  const before = await opened.graph.get(id);
  if (before && (before.kind !== 'memory' || !projects.includes(before.project)))
    return 'its id belongs to another entry';
  if (before?.forgottenAt !== undefined || before?.supersededBy !== undefined) return undefined;
  const node = before ?? (await store(scope, id, merged));
  // It came by sync, and may have been edited since.
  const isNewer = before?.level === 'team' && isFirst;
  const isChanged = before !== undefined && !isNewer && (await change(scope, before, merged));
  const shown = (await opened.graph.get(node.id)) as Node;
  if (shown.level !== 'team') {
    try {
      await shareMemory(scope, shown, await openSharing(scope, 'team', by));
    } catch (error) {
      if (error instanceof LoreError) return error.message;
      throw error;
    }
  }
  if (!before) reviewed.stored++;
  else if (isChanged) reviewed.changed++;
  return undefined;
}

async function describeCommit(root: string, { path, commit }: MergedFile): Promise<{ author: string; hash: string }> {
  const line = await askGit(root, ['log', '-1', '--format=%h%x00%an', commit, '--', path]);
  const [hash = '', author = ''] = (line ?? '').split('\0');
  return { hash, author: inOneLine(author).slice(0, longestName) };
}

async function store(scope: Scope, id: string, merged: MergedFile): Promise<Node> {
  const { opened, project } = scope;
  const { file, path } = merged;
  await ensureProject(scope);
  const { author, hash } = await describeCommit(project.root, merged);
  const { kind = 'semantic', knowledge = 'note', tags, text, context } = file;
  const data = { kind, knowledge, ...(tags.length > 0 && { tags }), shared: { by: author } };
  const source = `team: ${author}, ${path} in ${hash}`;
  const [node] = await opened.graph.put(
    [{ id, project: project.id, kind: 'memory', title: context, text, data, source }],
    `review ${author}`,
  );
  return node as Node;
}

/** Returns whether the file says something else. */
async function change(scope: Scope, node: Node, merged: MergedFile): Promise<boolean> {
  const { file } = merged;
  const { kind = node.data.kind, knowledge = node.data.knowledge, tags, text } = file;
  const { author, hash } = await describeCommit(scope.project.root, merged);
  const actor = `review ${author} ${hash}`;
  const next = ({ tags: _, ...data }: Node['data']) => ({ ...data, kind, knowledge, ...(tags.length > 0 && { tags }) });
  if (text !== node.text) {
    await reviseNode(scope.opened, node, { text, expected: node.hash, change: next }, actor);
    return true;
  }
  if (sameTags(node, tags) && node.data.kind === kind && node.data.knowledge === knowledge) return false;
  await amendNode(scope.opened, node.id, actor, ({ data }) => ({ data: next(data) }));
  return true;
}

function sameTags({ data }: Node, tags: readonly string[]): boolean {
  return JSON.stringify([...((data.tags as string[] | undefined) ?? [])].sort()) === JSON.stringify([...tags].sort());
}

/** All current memories of a project, for people who want files. */
export async function* exportFiles(scope: Scope): AsyncGenerator<{ name: string; text: string }> {
  for (const id of await listMemories(scope)) {
    const node = await scope.opened.graph.get(id);
    const shared = node?.data.shared as { by?: string } | undefined;
    if (node) yield { name: nameFile(node), text: writeFile(node, shared?.by ?? '') };
  }
}
