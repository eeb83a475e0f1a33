// One node by its id or key, in full and in pages: text, state, provenance, history and links. Nodes of every kind can be read, also
// superseded and forgotten ones.

import { LoreError } from '../../core/error.ts';
import { keyPrefix } from '../../core/id.ts';
import * as s from '../../core/schema.ts';
import { endOfPage } from '../../core/text/budget.ts';
import { findByKey } from '../../graph/key.ts';
import type { Node } from '../../graph/node.ts';
import { listReadable, resolveProjects, type Scope } from '../../graph/project/scope.ts';
import { looksLikeId, resolveId } from '../../graph/resolve-id.ts';
import { sharedLevels } from '../../graph/share/level.ts';
import { walkFrom } from '../../graph/walk.ts';
import { dataOf } from './memory.ts';

export const wholeShape = s.object({
  id: s.string(),
  kind: s.string(),
  title: s.optional(s.string()),
  text: s.string({ description: 'From offset, as much as fits the budget' }),
  offset: s.integer(),
  length: s.integer({ description: 'Total characters' }),
  hash: s.string({ description: 'Hash of kind, title and text' }),
  project: s.string(),
  source: s.optional(s.string()),
  tags: s.optional(s.list(s.string())),
  knowledge: s.optional(s.string()),
  importance: s.number(),
  created: s.string(),
  updated: s.string(),
  expires: s.optional(s.string()),
  superseded_by: s.optional(s.string()),
  forgotten: s.optional(s.string()),
  shared: s.optional(s.oneOf(sharedLevels)),
  citations: s.optional(s.list(s.object({ path: s.string(), line: s.optional(s.integer()), state: s.string() }))),
  links: s.list(s.object({ kind: s.string(), id: s.string(), from: s.boolean(), text: s.string() })),
  history: s.list(s.object({ at: s.string(), actor: s.string(), action: s.string(), before: s.optional(s.string()) })),
});

export type FullEntry = s.Infer<typeof wholeShape>;

interface Asked {
  given: string;
  project: string | undefined;
  offset: number;
  budgetTokens: number;
  /** With its earlier texts. */
  earlier: boolean;
}

const maxLinks = 20;
const maxHistory = 20;
const linkText = 80;
/** A text of this length is an id, not a word. */
const wholeId = /^[a-z]{1,8}_[0-9a-z]{24}$/;

/** Undefined if it is not an id: then it is a question, unless it is as long as an id. */
export async function readFullEntry(scope: Scope, asked: Asked): Promise<FullEntry | undefined> {
  const given = asked.given.trim();
  const key = given.startsWith(keyPrefix) ? given.slice(keyPrefix.length).trim() : undefined;
  if (key === undefined && !looksLikeId(given)) return undefined;
  const { graph, store } = scope.opened;
  const { project } = scope;
  const projects = asked.project === undefined ? listReadable(scope) : await resolveProjects(scope, asked.project);
  if (key !== undefined) {
    const [named] = await findByKey(scope.opened, projects, key);
    if (named) return view(scope, named, projects, asked);
    throw new LoreError('not_found', `Cannot read "${given}": no memory of project "${project.name}" has this key`);
  }
  const id = await resolveId(store, 'node', projects, given);
  const node = id === undefined ? undefined : await graph.get(id);
  if (node) return view(scope, node, projects, asked);
  if (!wholeId.test(given)) return undefined;
  throw new LoreError('not_found', `Cannot read "${given}": there is no such id in project "${project.name}"`);
}

async function view(scope: Scope, node: Node, projects: readonly string[], asked: Asked): Promise<FullEntry> {
  const { title, text, source } = node;
  const offset = Math.min(asked.offset, text.length);
  const { tags, knowledge } = dataOf(node);
  const write = (at: number) => new Date(at).toISOString();
  return {
    id: node.id,
    kind: node.kind,
    ...(title !== '' && { title }),
    text: text.slice(offset, Math.max(endOfPage(text, offset, asked.budgetTokens), offset + 1)),
    offset,
    length: text.length,
    hash: node.hash,
    project: node.project,
    ...(source !== '' && { source }),
    ...(Array.isArray(tags) && tags.length > 0 && { tags: [...tags] }),
    ...(typeof knowledge === 'string' && { knowledge }),
    importance: node.importance,
    created: write(node.createdAt),
    updated: write(node.updatedAt),
    ...(node.validTo !== undefined && { expires: write(node.validTo) }),
    ...(node.supersededBy !== undefined && { superseded_by: node.supersededBy }),
    ...(node.level !== 'private' && { shared: node.level }),
    ...(node.forgottenAt !== undefined && { forgotten: write(node.forgottenAt) }),
    ...(asked.earlier && (await describeCitations(scope, node))),
    links: await readLinks(scope, node.id, projects),
    history: await readHistory(scope, node.id, asked.earlier),
  };
}

/** Only code in the caller's own project can be checked. */
async function describeCitations({ project, projects }: Scope, node: Node): Promise<Pick<FullEntry, 'citations'>> {
  if (!projects.includes(node.project)) return {};
  const { checkEach } = await import('./cite/citation-state.ts');
  const checked = await checkEach(node, project.root);
  if (checked.length === 0) return {};
  return {
    citations: checked.map(({ citation: { file, line }, state }) => ({
      path: file,
      ...(line !== undefined && { line }),
      state,
    })),
  };
}

async function readLinks({ opened }: Scope, id: string, projects: readonly string[]): Promise<FullEntry['links']> {
  const { steps } = await walkFrom(opened.store, [id], 1, maxLinks);
  const others = steps.map(({ from, to }) => (from === id ? to : from));
  const nodes = new Map((await opened.graph.getAll(others)).map((node) => [node.id, node]));
  return steps.flatMap(({ from, kind }, at) => {
    const other = nodes.get(others[at] as string);
    if (!other || !projects.includes(other.project)) return [];
    const text = (other.title || other.text).replace(/\s+/g, ' ').slice(0, linkText);
    return [{ kind, id: other.id, from: from === id, text }];
  });
}

async function readHistory({ opened }: Scope, id: string, earlier: boolean): Promise<FullEntry['history']> {
  const changes = await opened.graph.history(id);
  return changes.slice(-maxHistory).map(({ at, actor, action, before }) => ({
    at: new Date(at).toISOString(),
    actor,
    action,
    ...(earlier && before?.text !== undefined && { before: before.text }),
  }));
}
