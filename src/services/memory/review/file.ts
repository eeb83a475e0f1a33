// A memory as a Markdown file that people can read, review and edit: front matter, then the text.
import { parse } from 'yaml';
import { isObject } from '../../../core/schema.ts';
import type { Node } from '../../../graph/node.ts';
import { dataOf } from '../memory.ts';

export interface MemoryFile {
  /** Absent in a file that somebody wrote by hand. */
  id?: string;
  context: string;
  text: string;
  kind?: string;
  knowledge?: string;
  tags: string[];
}

export const reviewFolder = '.lore/team';
const longestSlug = 40;
const idForm = /^n_[0-9a-z]{4,60}$/;
const wordForm = /^[a-z]{1,20}$/;
const mostTags = 32;
const longestTag = 64;

/** From the first words of the text and the end of the id, which is random. */
export function nameFile({ id, text }: Pick<Node, 'id' | 'text'>): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const slug = words
    .join('-')
    .slice(0, longestSlug)
    .replace(/-?[^-]*$/, (end) => (words.join('-').length > longestSlug ? '' : end));
  return `${slug || 'memory'}-${id.slice(-6)}.md`;
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
  ];
  return `---\n${lines.join('\n')}\n---\n\n${node.text}\n`;
}

/** The file, or why it cannot be used. */
export function readFile(given: string): MemoryFile | { problem: string } {
  const text = given.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  if (/^(?:<{7}|={7}|>{7})(?: |$)/m.test(text)) return { problem: 'it has conflict markers' };
  const [, head, body = ''] = /^---\n(.*?\n)---[ \t]*(?:\n(.*))?$/s.exec(text) ?? [];
  if (head === undefined) return { problem: 'it has no front matter' };
  let front: unknown;
  try {
    front = parse(head, { maxAliasCount: 0 });
  } catch {
    return { problem: 'its front matter is not valid YAML' };
  }
  if (!isObject(front)) return { problem: 'its front matter is not a list of fields' };
  const { id, kind, knowledge, context = '', tags = [] } = front;
  const isWord = (value: unknown) => value === undefined || (typeof value === 'string' && wordForm.test(value));
  if (id !== undefined && !(typeof id === 'string' && idForm.test(id))) return { problem: 'its id is not valid' };
  if (!isWord(kind) || !isWord(knowledge)) return { problem: 'its kind or knowledge is not a word' };
  if (typeof context !== 'string') return { problem: 'its context is not a text' };
  const isTag = (tag: unknown) => typeof tag === 'string' && tag !== '' && tag.length <= longestTag;
  if (!Array.isArray(tags) || tags.length > mostTags || !tags.every(isTag))
    return { problem: 'its tags are not a list of words' };
  if (body.trim() === '') return { problem: 'it has no text' };
  return {
    ...(typeof id === 'string' && { id }),
    ...(typeof kind === 'string' && { kind }),
    ...(typeof knowledge === 'string' && { knowledge }),
    context,
    text: body.trim(),
    tags: tags as string[],
  };
}
