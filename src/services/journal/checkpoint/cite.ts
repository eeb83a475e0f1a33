// The memories that a checkpoint cites: by id, or because one of its lines repeats them. Memories that were only stored
// during the same work are not cited.
import { runSoon, type Steps } from '../../../core/steps.ts';
import { isCurrent, type Node } from '../../../graph/node.ts';
import type { Scope } from '../../../graph/project/scope.ts';

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
  for (const line of await runSoon(readLines(text))) {
    if (cited.size >= maxCited) break;
    const alike = await graph.find({ query: line, projects, kinds: ['memory'], limit: 3, by: 'words' });
    for (const { node } of alike) if (repeats(line, node)) cited.add(node.id);
  }
  return [...cited].slice(0, maxCited);
}

/** The first few lines that are long enough, truncated to the length in which a memory may be repeated. */
function* readLines(text: string): Steps<string[]> {
  const lines: string[] = [];
  let looked = 0;
  for (let start = 0; start < text.length && lines.length < maxLines; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    const folded = fold(text.slice(start, Math.min(end, start + longestLine)));
    if (folded.length >= shortest) lines.push(folded);
    start = end + 1;
    if (++looked % linesAtOnce === 0) yield;
  }
  return lines;
}

/** Number compared in one step. */
const linesAtOnce = 1_000;

/** Shorter texts occur in many lines by chance. */
const shortest = 8;
const fewestWords = 4;
/** Share of a memory's words that the line must have. */
const share = 0.8;
/** No line has most words of a longer memory. */
const longestRepeated = 4 * longestLine;

function repeats(line: string, { text }: Pick<Node, 'text'>): boolean {
  if (text.length > longestRepeated) return false;
  const folded = fold(text);
  if (folded.length >= shortest && line.includes(folded)) return true;
  const words = [...new Set(folded.split(' ').filter((word) => word.length > 2))];
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
