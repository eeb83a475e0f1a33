// Finds changes since a checkpoint: files, the branch, and cited memories that are no longer current.

import { askAboutFiles } from '../../../graph/git/filters.ts';
import { askGit } from '../../../graph/git/git.ts';
import { readHead } from '../../../graph/git/head.ts';
import { isCurrent, type Node } from '../../../graph/node.ts';
import type { Scope } from '../../../graph/project/scope.ts';
import { listTargets } from '../../../graph/walk.ts';
import { dataOf } from './checkpoint.ts';
import { type ChangedFile, findChanged } from './files.ts';

interface Since {
  /** Files that it mentions come first. */
  files: ChangedFile[];
  /** Number of further changed files. */
  more: number;
  branch?: { was: string; now: string };
  /** Commits since, if its commit is an ancestor. */
  commits?: number;
  /** Cited memories and those that replaced them. */
  memories: { id: string; text: string; state: 'superseded' | 'expired' | 'forgotten'; by?: string }[];
}

interface Base {
  since: Since;
  /** Cited memories that are still current. */
  memories: Node[];
}

const shownFiles = 30;
const noBranch = 'no branch';

export async function findChangesSince(scope: Scope, node: Node): Promise<Base> {
  const { opened, project } = scope;
  // Without a folder there is nothing to compare with.
  const { files = {}, branch, commit } = project.root === '' ? {} : dataOf(node);
  const head = project.root === '' ? undefined : readHead(project.root);
  const [own, others, commits, memories] = await Promise.all([
    findChanged(files, project.root),
    commit === undefined ? [] : listDiffering(project.root, commit),
    commit === undefined || commit === head?.commit ? undefined : countCommits(project.root, commit),
    opened.graph.getAll(await listTargets(opened.store, node.id, 'builds_on')),
  ]);
  const rest = others.filter((path) => !(path in files)).map((path) => ({ path, state: 'changed' as const }));
  const all = [...own, ...rest];
  const hasMoved = head !== undefined && commit !== undefined && head.branch !== branch;
  const now = opened.graph.now();
  return {
    since: {
      files: all.slice(0, shownFiles),
      more: Math.max(0, all.length - shownFiles),
      ...(hasMoved && { branch: { was: branch ?? noBranch, now: head.branch ?? noBranch } }),
      ...(commits !== undefined && { commits }),
      memories: memories.filter((memory) => !isCurrent(memory, now)).map(describeLost),
    },
    memories: memories.filter((memory) => isCurrent(memory, now)),
  };
}

function describeLost({ id, text, supersededBy, forgottenAt }: Node): Since['memories'][number] {
  const state = supersededBy !== undefined ? 'superseded' : forgottenAt !== undefined ? 'forgotten' : 'expired';
  return { id, text, state, ...(supersededBy !== undefined && { by: supersededBy }) };
}

/** In submodules a git of their own would look. */
const diff = ['diff', '--name-only', '-z', '--no-ext-diff', '--ignore-submodules=dirty'];

/** Differences between that commit and the current files; unknown without git or without that commit. */
async function listDiffering(root: string, commit: string): Promise<string[]> {
  const names = await quietly(askAboutFiles(root, [...diff, commit, '--']));
  return names?.split('\0').filter((name) => name !== '') ?? [];
}

async function countCommits(root: string, commit: string): Promise<number | undefined> {
  const isAncestor = await quietly(askGit(root, ['merge-base', '--is-ancestor', commit, 'HEAD']));
  if (isAncestor === undefined) return undefined;
  const count = await quietly(askGit(root, ['rev-list', '--count', `${commit}..HEAD`, '--']));
  return count === undefined ? undefined : Number(count);
}

async function quietly<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch(() => undefined);
}
