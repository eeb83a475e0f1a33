// The memories that a checkpoint cites: those whose id stands in it, and those that one of its lines repeats. Memories that
// were only stored during the same work are not among them.
import { isCurrent, type Node } from '../../../graph/node.ts';
import type { Scope } from '../../../graph/scope.ts';

const maxCited = 5;
/** Each line costs a search. */
const maxLines = 16;
const longestLine = 2_000;
const namedMemory = /\bn_[0-9a-z]{10,40}\b/g;

export async function findCited({ opened, projects }: Scope, text: string): Promise<string[]> {
  const { graph } = opened;
  const named = await graph.getAll([...new Set(text.match(namedMemory) ?? [])].slice(0, 4 * maxCited));
  const cited = new Set(
    named.filter((node) => projects.includes(node.project) && isCurrent(node, graph.now())).map(({ id }) => id),
  );
  for (const line of linesOf(text)) {
    if (cited.size >= maxCited) break;
    const alike = await graph.find({ query: line, projects, kinds: ['memory'], limit: 3, by: 'words' });
    for (const { node } of alike) if (repeats(line, node)) cited.add(node.id);
  }
  return [...cited].slice(0, maxCited);
}

/** The first few that are long enough, and of each as much as a memory may be repeated in. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const folded = fold(line.slice(0, longestLine));
    if (folded.length >= shortest) lines.push(folded);
    if (lines.length === maxLines) break;
  }
  return lines;
}

/** Shorter texts stand in many lines by chance. */
const shortest = 8;
const fewestWords = 4;
/** Of a memory's words, the line has at least so many. */
const share = 0.8;

function repeats(line: string, { text }: Pick<Node, 'text'>): boolean {
  const said = fold(text);
  if (said.length >= shortest && line.includes(said)) return true;
  const words = [...new Set(said.split(' ').filter((word) => word.length > 2))];
  const known = new Set(line.split(' '));
  return words.length >= fewestWords && words.filter((word) => known.has(word)).length >= share * words.length;
}

function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
}
