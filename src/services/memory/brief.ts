// An overview of a project from its most important and its newest memories.
import { inOneLine } from '../../core/text/terminal.ts';
import { countNodes } from '../../graph/census.ts';
import type { Node } from '../../graph/node.ts';
import { askAboutRelated, type Scope } from '../../graph/project/scope.ts';
import { dataOf, type MemoryView, viewMemory } from './memory.ts';
import { fenceMemories } from './show/show.ts';

export const parts = ['rules', 'architecture', 'gotchas', 'preferences', 'recent', 'user'] as const;
type Part = (typeof parts)[number];

export interface Brief {
  name: string;
  root: string;
  memories: number;
  /** A question to the user. */
  notice?: string | undefined;
  parts: { part: Part; memories: MemoryView[] }[];
}

/** Number of the most important memories from which each section is chosen. */
const weighed = 200;

const belongs: Record<Exclude<Part, 'recent' | 'user'>, (node: Node) => boolean> = {
  rules: (node) => ['rule', 'convention'].includes(dataOf(node).knowledge),
  architecture: (node) => ['architecture', 'pattern'].includes(dataOf(node).knowledge),
  gotchas: (node) => dataOf(node).knowledge === 'gotcha',
  preferences: (node) => dataOf(node).kind === 'preference',
};

/** Each memory once, in its most important section. */
export async function makeBrief(scope: Scope, each: number): Promise<Brief> {
  const { opened, project, projects } = scope;
  const important = await opened.graph.recent(projects, ['memory'], weighed, { by: 'importance' });
  const newest = await opened.graph.recent(projects, ['memory'], each * 2);
  const ofUser = await opened.graph.recent([scope.user], ['memory'], each, { by: 'importance' });
  const seen = new Set<string>();
  const take = (part: Part): Brief['parts'][number] => {
    const fitting = part === 'recent' ? newest : part === 'user' ? ofUser : important.filter(belongs[part]);
    const unseen = fitting.filter(({ id }) => !seen.has(id)).slice(0, each);
    for (const { id } of unseen) seen.add(id);
    return { part, memories: unseen.map((node) => viewMemory(node, projects)) };
  };
  const notice = askAboutRelated(scope);
  return {
    name: project.name,
    root: project.root,
    memories: await countNodes(opened, projects, 'memory'),
    ...(notice !== undefined && { notice }),
    parts: parts.map(take).filter(({ memories }) => memories.length > 0),
  };
}

export const titles: Record<Part, string> = {
  rules: 'Rules and conventions',
  architecture: 'Architecture',
  gotchas: 'Gotchas',
  preferences: 'Preferences',
  recent: 'Recent',
  user: 'About you, in every project',
};

export function renderBrief(brief: Brief): string {
  const { name, root, memories, notice } = brief;
  const place = root === '' ? '' : ` (${inOneLine(root)})`;
  const count = `${inOneLine(name)}${place}: ${memories} ${memories === 1 ? 'memory' : 'memories'}`;
  const head = notice === undefined ? count : `${count}\n${notice}`;
  const entries = brief.parts.flatMap(({ part, memories: own }) =>
    own.map((memory) => ({ ...memory, why: titles[part] })),
  );
  return entries.length === 0 ? head : `${head}\n${fenceMemories(entries)}`;
}
