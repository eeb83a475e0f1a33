// A memory as a Markdown file that people can read, review and edit: front matter, then the text.
import { parse } from 'yaml';
import { isObject } from '../../../core/schema.ts';
import type { Node } from '../../../graph/node.ts';
import { type KnowledgeType, knowledgeTypes, type MemoryKind, memoryKinds } from '../kinds.ts';
import { dataOf } from '../memory.ts';

export interface MemoryFile {
  /** Absent in a file that somebody wrote by hand. */
  id?: string;
  context: string;
  text: string;
  kind?: MemoryKind;
  knowledge?: KnowledgeType;
  tags: string[];
  /** In milliseconds. */
  expires?: number;
}

export const reviewFolder = '.lore/team';
const longestSlug = 40;
const idForm = /^n_[0-9a-z]{4,60}$/;
const mostTags = 32;
const longestTag = 64;
/** Parsing more of it takes seconds. */
const longestFront = 10_000;

/** From the first words of the text and the end of the id, which is random. */
export function nameFile({ id, text }: Pick<Node, 'id' | 'text'>): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const slug = words
    .join('-')
    .slice(0, longestSlug)
    .replace(/-?[^-]*$/, (end) => (words.join('-').length > longestSlug ? '' : end));
  return `${slug || 'memory'}-${id.slice(-6)}.md`;
}

/** For another memory with the same words, whose id ends alike. */
export function nameWhole({ id }: Pick<Node, 'id'>): string {
  return `${id}.md`;
}

export function writeFile(node: Node, by: string): string {
  const { kind, knowledge, tags = [] } = dataOf(node);
  // JSON is YAML, and needs no rules for quotes.
  const lines = [
    `id: ${node.id}`,
    `kind: ${kind}`,
    `knowledge: ${knowledge}`,
    ...(by === '' ? [] : [`by: ${JSON.stringify(by)}`]),
    ...(node.title === '' ? [] : [`context: ${JSON.stringify(node.title)}`]),
    ...(tags.length === 0 ? [] : [`tags: ${JSON.stringify(tags)}`]),
    ...(node.validTo === undefined ? [] : [`expires: ${new Date(node.validTo).toISOString()}`]),
  ];
  return `---\n${lines.join('\n')}\n---\n\n${node.text}\n`;
}

/** Whether `writeFile` wrote it. */
export function isMemoryFile(text: string): boolean {
  return /^---\r?\nid: n_/.test(text);
}

/** The file, or why it cannot be used. */
export function readFile(given: string): MemoryFile | { problem: string } {
  const text = given.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  // A line of seven equals signs alone is a heading.
  if (/^<{7}(?: |$)/m.test(text) && /^>{7}(?: |$)/m.test(text)) return { problem: 'it has conflict markers' };
  const [, head, body = ''] = /^---\n(|.*?\n)---[ \t]*(?:\n(.*))?$/s.exec(text) ?? [];
  if (head === undefined) return { problem: 'it has no front matter' };
  if (head.length > longestFront) return { problem: 'its front matter is too long' };
  let front: unknown;
  try {
    front = parse(head, { maxAliasCount: 0, logLevel: 'error' }) ?? {};
  } catch {
    return { problem: 'its front matter is not valid YAML' };
  }
  if (!isObject(front)) return { problem: 'its front matter is not a list of fields' };
  const { id, kind, knowledge, context = '', tags = [], expires } = front;
  const [isKind, isKnowledge] = [oneOf(kind, memoryKinds), oneOf(knowledge, knowledgeTypes)];
  if (id !== undefined && !(typeof id === 'string' && idForm.test(id))) return { problem: 'its id is not valid' };
  if (!isKind) return { problem: `its kind is not one of ${memoryKinds.join(', ')}` };
  if (!isKnowledge) return { problem: `its knowledge is not one of ${knowledgeTypes.join(', ')}` };
  if (!isText(context)) return { problem: 'its context is not a text' };
  const isTag = (tag: unknown) => isText(tag) && tag !== '' && tag.length <= longestTag && !/\p{Cc}/u.test(tag);
  if (!Array.isArray(tags) || tags.length > mostTags || !tags.every(isTag))
    return { problem: 'its tags are not a list of words' };
  const end = expires === undefined ? undefined : Date.parse(String(expires));
  if (Number.isNaN(end)) return { problem: 'its expiry is not a date' };
  if (body.trim() === '') return { problem: 'it has no text' };
  return {
    ...(id !== undefined && { id }),
    ...(kind !== undefined && { kind: kind as MemoryKind }),
    ...(knowledge !== undefined && { knowledge: knowledge as KnowledgeType }),
    context,
    text: body.trim(),
    tags: tags as string[],
    ...(end !== undefined && { expires: end }),
  };
}

function oneOf(value: unknown, words: readonly string[]): boolean {
  return value === undefined || words.includes(value as string);
}

/** Without half a surrogate pair or a NUL character, which YAML can write and no database stores. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !/\p{Cs}|\0/u.test(value);
}
