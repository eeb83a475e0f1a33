// Imports git history: every relevant commit becomes a node, found by its message and its files. Each run imports new
// commits; a rewritten history is read again, and its commits replace the earlier ones.
import { LoreError } from '../../../core/error.ts';
import { scanNodes } from '../../../graph/census.ts';
import { askGit, streamGit } from '../../../graph/git/git.ts';
import type { NewEdge } from '../../../graph/graph.ts';
import { isCurrent, type NewNode, type Node } from '../../../graph/node.ts';
import { identifyFolder } from '../../../graph/project/project.ts';
import { ensureProject, nameCommit, type Scope } from '../../../graph/project/scope.ts';
import { readSpan } from '../time/time-phrase.ts';
import { type CommitType, type Judged, judgeCommit } from './git-commit.ts';
import { isGenerated, rankFiles } from './git-files.ts';
import { type Commit, logFormat, readLog } from './git-log.ts';
import { openTips } from './git-tips.ts';

interface SyncOptions {
  /** Commits since this time, including known ones. */
  since?: number | undefined;
  /** Only the newest ones. */
  limit?: number | undefined;
  dryRun?: boolean | undefined;
  report?: ((done: number, total: number) => void) | undefined;
}

export interface Synced {
  branch: string;
  /** Number of commits read. */
  commits: number;
  kept: number;
  known: number;
  /** Rewritten commits that were replaced. */
  superseded: number;
  types: { [type: string]: number };
  left: { [reason: string]: number };
  /** There are older commits that were not read. */
  more: boolean;
  /** What would be stored, in a dry run. */
  titles?: string[];
}

const batchSize = 200;
const mostAtOnce = 20_000;
const maxFiles = 30;
/** Files named in the text, which links commits to other nodes that mention these files. */
const namedFiles = 6;
export async function syncGit(scope: Scope, options: SyncOptions = {}): Promise<Synced> {
  const { project } = scope;
  const { root } = project;
  if (root === '' || !identifyFolder(root).isGit) {
    throw new LoreError('invalid_input', `Cannot sync the git history of "${root}": it is not in a git repository`);
  }
  const branch = (await askGit(root, ['symbolic-ref', '--quiet', '--short', 'HEAD'])) ?? 'HEAD';
  const head = await askGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  const synced: Synced = { branch, commits: 0, kept: 0, known: 0, superseded: 0, types: {}, left: {}, more: false };
  if (options.dryRun) synced.titles = [];
  if (head === undefined) return synced;
  if (!options.dryRun) await ensureProject(scope);
  const tips = await openTips(scope);
  const range = chooseRange(head, tips.commits(), options);
  const count = Number(await askGit(root, ['rev-list', '--count', ...range]));
  const limit = options.limit ?? mostAtOnce;
  synced.more = count > limit;
  const twins = (await isRewritten(root, tips.of(branch), head)) ? await findTwins(scope) : undefined;
  const batch: Taken[] = [];
  for await (const commit of readLog(streamGit(root, ['log', `--max-count=${limit}`, ...logFormat, ...range]))) {
    synced.commits++;
    const judged = judgeCommit(commit);
    if ('leave' in judged) synced.left[judged.leave] = (synced.left[judged.leave] ?? 0) + 1;
    else batch.push({ commit, judged, id: nameCommit(project.id, commit.hash) });
    if (batch.length < batchSize) continue;
    await keep(scope, batch.splice(0), synced, twins);
    options.report?.(synced.commits, Math.min(count, limit));
  }
  await keep(scope, batch, synced, twins);
  // Last, so that a later run finds commits that this process did not store before it died.
  if (!options.dryRun) await tips.set(branch, head);
  return synced;
}

/** A span like 90d or 1y, a date, or a phrase like "two months ago". */
export function readSince(text: string, now: number): number {
  const since = readSpan(text, now)?.from;
  if (since !== undefined) return since;
  throw new LoreError('invalid_input', `Cannot sync since "${text}": it is not a time`, {
    hint: 'Use a time such as 2026-01-31, 90d or "two months ago".',
  });
}

interface Taken {
  id: string;
  commit: Commit;
  judged: Judged;
}

/** The requested commits, known or not; otherwise those that no earlier run has read. */
function chooseRange(head: string, known: readonly string[], { since, limit }: SyncOptions): string[] {
  const isAsked = since !== undefined || limit !== undefined;
  return [
    '--ignore-missing',
    ...(since === undefined ? [] : [`--since=${new Date(since).toISOString()}`]),
    head,
    ...(isAsked || known.length === 0 ? [] : ['--not', ...known]),
    '--',
  ];
}

async function isRewritten(root: string, tip: string | undefined, head: string): Promise<boolean> {
  if (tip === undefined || tip === head) return false;
  return (await askGit(root, ['merge-base', '--is-ancestor', tip, head])) === undefined;
}

/** A rewritten commit keeps its author and author date. */
function describeTwin(data: NewNode['data']): string {
  return JSON.stringify([data?.author, data?.date]);
}

type Twins = Map<string, Node[]>;

async function findTwins({ opened, projects }: Scope): Promise<Twins> {
  const twins: Twins = new Map();
  const now = opened.graph.now();
  for await (const node of scanNodes(opened, projects, 'commit')) {
    if (!isCurrent(node, now)) continue;
    const key = describeTwin(node.data);
    twins.set(key, [...(twins.get(key) ?? []), node]);
  }
  return twins;
}

/** The commit that this one replaces: the one with the same message, or else the only one, if it left the history. */
async function findTwin({ project }: Scope, { id, title, data }: NewNode, twins: Twins): Promise<Node | undefined> {
  const others = (twins.get(describeTwin(data)) ?? []).filter((node) => node.id !== id);
  const same = others.find((node) => node.title === title);
  if (same || others.length !== 1) return same;
  const isKept = ['merge-base', '--is-ancestor', String(others[0]?.data.hash), String(data?.hash)];
  return (await askGit(project.root, isKept)) === undefined ? others[0] : undefined;
}

async function keep(scope: Scope, batch: readonly Taken[], synced: Synced, twins: Twins | undefined) {
  const { graph } = scope.opened;
  if (batch.length === 0) return;
  const namesOf = ({ commit }: Taken) => scope.projects.map((project) => nameCommit(project, commit.hash));
  const found = new Set((await graph.getAll(batch.flatMap(namesOf))).map(({ id }) => id));
  const known = batch.filter((taken) => namesOf(taken).some((id) => found.has(id)));
  const fresh = batch.filter((taken) => !known.includes(taken));
  const nodes = fresh.map((taken) => describe(scope, taken));
  synced.known += known.length;
  synced.kept += fresh.length;
  for (const { judged } of fresh) synced.types[judged.type] = (synced.types[judged.type] ?? 0) + 1;
  if (synced.titles) return void synced.titles.push(...nodes.map(({ title }) => title as string));
  if (nodes.length === 0) return;
  const supersede: { old: string; by: string; since: number }[] = [];
  for (const node of twins ? nodes : []) {
    const twin = await findTwin(scope, node, twins as Twins);
    if (twin) supersede.push({ old: twin.id, by: node.id as string, since: graph.now() });
  }
  synced.superseded += supersede.length;
  try {
    await graph.put(nodes, scope.actor, { edges: await linkReverts(scope, fresh), supersede });
  } catch (error) {
    // Another process may be syncing too: do not store its commits again.
    if (!(error instanceof LoreError) || error.word !== 'conflict') throw error;
    synced.kept -= fresh.length;
    for (const taken of fresh) if (!(await graph.get(taken.id))) await keep(scope, [taken], synced, twins);
  }
}

const weights: Record<CommitType, number> = {
  security: 0.7,
  feat: 0.6,
  fix: 0.6,
  revert: 0.6,
  merge: 0.5,
  perf: 0.5,
  refactor: 0.5,
  other: 0.4,
};

function describe({ opened, project }: Scope, { id, commit, judged }: Taken): NewNode {
  const { hash, author, date, files, fileCount } = commit;
  const { type, scope: part, breaking, title, text } = judged;
  const ranked = rankFiles(files);
  const named = ranked
    .filter((file) => !isGenerated(file))
    .slice(0, namedFiles)
    .join(', ');
  const at = Number.isFinite(date) ? Math.min(date, opened.graph.now()) : opened.graph.now();
  return {
    id,
    project: project.id,
    kind: 'commit',
    title,
    text: named === '' ? text : `${text}\n\nFiles: ${named}`,
    data: {
      hash,
      author,
      date: new Date(at).toISOString(),
      type,
      ...(part !== undefined && { scope: part }),
      breaking,
      files: ranked.slice(0, maxFiles),
      ...(fileCount > maxFiles && { fileCount }),
    },
    importance: breaking ? 0.8 : weights[type],
    source: `git ${hash.slice(0, 10)}`,
    validFrom: at,
  };
}

/** Only to existing nodes: skipped commits have none. */
async function linkReverts({ opened, project }: Scope, batch: readonly Taken[]): Promise<NewEdge[]> {
  const edges = batch.flatMap(({ id, judged }) =>
    judged.reverts === undefined ? [] : [{ from: id, kind: 'reverts', to: nameCommit(project.id, judged.reverts) }],
  );
  const there = new Set([
    ...batch.map(({ id }) => id),
    ...(await opened.graph.getAll(edges.map(({ to }) => to))).map(({ id }) => id),
  ]);
  return edges.filter(({ to }) => there.has(to));
}
