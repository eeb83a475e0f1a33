// Review as a pull request: memories as files in the repository, which count when they are merged. A file changes only what is
// shared with the team, or what its owner proposed here: whoever knows the id of a private memory can write it into a file.
import { LoreError } from '../../../core/error.ts';
import { quoteName } from '../../../core/text/terminal.ts';
import { ensureProject, nameNode, type Scope } from '../../../graph/project/scope.ts';
import type { Sharing } from '../../../graph/share/capture-log.ts';
import { findRefusal } from '../../../graph/share/export.ts';
import {
  listReviewed,
  noteReviewed,
  type ReviewedContent,
  type ReviewedFile,
  type ReviewedMemory,
  type ReviewOrigin,
  viewReviewed,
  writeReviewed,
} from '../../../graph/share/reviewed.ts';
import { openSharing } from '../../../graph/share/share.ts';
import { type MemoryFile, readFile } from './file.ts';
import {
  type MergedFile,
  type MergedTree,
  openTree,
  readOrigins,
  readTexts,
  readVersion,
  type SkippedFile,
} from './tree.ts';

export interface Reviewed {
  stored: number;
  changed: number;
  skipped: SkippedFile[];
}

/** Stores what is new in the files of the default branch. */
export async function importReviewed(scope: Scope, by: string): Promise<Reviewed> {
  const reviewed: Reviewed = { stored: 0, changed: 0, skipped: [] };
  const tree = await openTree(scope);
  if (!tree) return reviewed;
  const { store } = scope.opened;
  const { id: project, root } = scope.project;
  reviewed.skipped.push(...tree.skipped);
  const known = await listReviewed(store, project);
  const read = new Set([...known.values()].map(({ blob }) => blob));
  // A copy says nothing new.
  const files = tree.files.filter(({ blob }) => !read.has(blob) && read.add(blob));
  if (files.length === 0) return reviewed;
  await ensureProject(scope);
  const sharing = await openSharing(scope, 'team', by);
  const originOf = await readOrigins(root, { commit: tree.commit, files });
  for await (const { path, blob, ...found } of readTexts(root, files)) {
    const file = 'problem' in found ? found : readFile(found.text);
    const problem =
      'problem' in file
        ? file.problem
        : await take({ scope, sharing, tree, known }, { path, blob, file, origin: originOf(path) }, reviewed);
    // It is reported each time, until somebody repairs it.
    if (problem !== undefined) reviewed.skipped.push({ path, problem });
  }
  return reviewed;
}

interface Reading {
  scope: Scope;
  sharing: Sharing;
  tree: MergedTree;
  /** By the id of the memory. */
  known: Map<string, ReviewedFile>;
}

interface ReadFile extends MergedFile {
  file: MemoryFile;
  origin: ReviewOrigin;
}

/** Returns why it was not used. */
async function take(reading: Reading, merged: ReadFile, reviewed: Reviewed): Promise<string | undefined> {
  const { scope, sharing, tree, known } = reading;
  const { path, blob, file, origin } = merged;
  const { opened, project } = scope;
  const id = file.id ?? nameNode('n', 'review', tree.repository, path);
  const before = known.get(id);
  const twin = before && tree.files.find((one) => one.blob === before.blob);
  if (twin) return `its id is also in ${quoteName(twin.path)}`;
  const memory = await viewReviewed(opened, sharing, id);
  const { node, content } = memory;
  const problem = node && findObstacle(scope, memory, before, file);
  if (problem !== undefined) return problem;
  const isOver = node ? node.forgottenAt !== undefined || node.supersededBy !== undefined : memory.isRetracted;
  const next = isOver ? undefined : await merge(reading, memory, before, file);
  if (next && (!isSame(next, content) || node?.level !== 'team')) {
    const { kind, knowledge, tags, title, text } = next;
    const refusal = findRefusal(
      { kind: 'memory', project: project.id, title, text, data: { kind, knowledge, tags } },
      'team',
      project,
    );
    if (refusal !== undefined) return refusal;
    try {
      await writeReviewed(opened, sharing, id, memory, next, origin);
    } catch (error) {
      // Others keep changing it.
      if (error instanceof LoreError && error.word === 'conflict') return error.message;
      throw error;
    }
    if (node) reviewed.changed++;
    else reviewed.stored++;
  }
  const now = { blob, proposed: '' };
  await noteReviewed(opened.store, project.id, id, now);
  known.set(id, now);
  return undefined;
}

/** Why the file must not touch the memory that is here. */
function findObstacle(
  { projects }: Scope,
  { node, content }: ReviewedMemory,
  before: ReviewedFile | undefined,
  { text }: MemoryFile,
): string | undefined {
  if (!node) return undefined;
  if (node.kind !== 'memory' || !projects.includes(node.project)) return 'its id belongs to another entry';
  if (node.level === 'team' || before?.proposed === node.hash) return undefined;
  const again = `lore share ${node.id} --review`;
  if (!before?.proposed) return `it is a private memory here. To share it: ${again}`;
  return content?.text === text ? undefined : `it was edited here since it was proposed. To propose it again: ${again}`;
}

/**
 * What the memory becomes: each field that the file changed since its last version. If the text was changed here as well, or no
 * version was read before, the log decides: a text that the memory once had is not news.
 */
async function merge(
  { scope }: Reading,
  { node, content, hadText }: ReviewedMemory,
  before: ReviewedFile | undefined,
  file: MemoryFile,
): Promise<ReviewedContent | undefined> {
  const theirs = readContent(file, content);
  if (!content || node?.level !== 'team') {
    const isExpired = theirs.expires !== null && theirs.expires <= scope.opened.graph.now();
    return isExpired ? undefined : theirs;
  }
  const version = before?.blob ? await readVersion(scope.project.root, before.blob) : undefined;
  const last = version === undefined ? undefined : readFile(version);
  const isOld = content.text !== theirs.text && hadText(theirs.text);
  if (!last || 'problem' in last) return isOld ? content : theirs;
  const base = readContent(last, content);
  const pick = <K extends keyof ReviewedContent>(key: K) =>
    JSON.stringify(base[key]) === JSON.stringify(theirs[key]) ? content[key] : theirs[key];
  return {
    title: pick('title'),
    text: isOld && content.text !== base.text ? content.text : pick('text'),
    kind: pick('kind'),
    knowledge: pick('knowledge'),
    tags: pick('tags'),
    expires: pick('expires'),
  };
}

/** A file need not name its kinds. */
function readContent(file: MemoryFile, here: ReviewedContent | undefined): ReviewedContent {
  const { kind = here?.kind ?? 'semantic', knowledge = here?.knowledge ?? 'note', expires = null } = file;
  return { title: file.context, text: file.text, kind, knowledge, tags: [...new Set(file.tags)].sort(), expires };
}

function isSame(one: ReviewedContent, other: ReviewedContent | undefined): boolean {
  const order = ({ title, text, kind, knowledge, tags, expires }: ReviewedContent) =>
    JSON.stringify([title, text.replaceAll('\r\n', '\n').trim(), kind, knowledge, tags, expires]);
  return other !== undefined && order(one) === order(other);
}
