// A file's definitions with how often they have the terms of a question: for a file that no index has taken apart.
import { analyze } from '../../../../graph/words.ts';
import { outline } from './outline.ts';

export interface Part {
  name: string;
  start: number;
  end: number;
  /** Terms in its own lines, without nested definitions. */
  length: number;
  counts: ReadonlyMap<string, number>;
}

/** Without definitions, a file is taken apart by its paragraphs. */
export function takeApart(path: string, text: string, asked: ReadonlySet<string>): Part[] {
  const lines = text.split('\n');
  const definitions = outline(path, text);
  const ranges = definitions.length > 0 ? definitions : listParagraphs(lines);
  const owner = new Int32Array(lines.length).fill(-1);
  // Inner ones come later and take their lines from the outer.
  for (const [at, { start, end }] of ranges.entries()) owner.fill(at, start - 1, end);
  const own: string[][] = ranges.map(() => []);
  for (const [at, line] of lines.entries()) own[owner[at] as number]?.push(line);
  return ranges.map(({ name, start, end }, at) => {
    const terms = analyze((own[at] as string[]).join('\n'));
    const counts = new Map<string, number>();
    for (const term of terms) if (asked.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    return { name, start, end, length: terms.length, counts };
  });
}

const paragraph = 20;

function listParagraphs(lines: readonly string[]): { name: string; start: number; end: number }[] {
  const found: { name: string; start: number; end: number }[] = [];
  for (let start = 1; start <= lines.length; ) {
    let end = Math.min(lines.length, start + paragraph - 1);
    while (end < lines.length && end < start + 2 * paragraph && (lines[end] as string).trim() !== '') end++;
    found.push({ name: '', start, end });
    start = end + 1;
  }
  return found;
}
