// What of a list fits a budget of tokens, and where the next page begins. Order is kept: what ranks first is shown first,
// and nothing small jumps the queue, so that a cursor is one number.
import { estimateTokens } from './budget-estimate.ts';

export { estimateTokens } from './budget-estimate.ts';

export interface Fit<T> {
  kept: { item: T; text: string; tokens: number; cut: boolean }[];
  tokens: number;
  /** The index of the first that is not shown; undefined when all are. */
  next: number | undefined;
}

/** Between two entries of a page there is at least a line break. */
const separator = 1;

/**
 * From `start` on, up to the first that does not fit. The first is always kept, cut if need be: a page is never empty, so
 * whoever follows the cursor reaches the end.
 */
export function fitBudget<T extends { id: string }>(
  items: readonly T[],
  budgetTokens: number,
  render: (item: T) => string,
  start = 0,
): Fit<T> {
  const fit: Fit<T> = { kept: [], tokens: 0, next: undefined };
  for (let index = start; index < items.length; index++) {
    const item = items[index] as T;
    const whole = render(item);
    const wholeTokens = estimateTokens(whole) + separator;
    const isFirst = fit.kept.length === 0;
    if (fit.tokens + wholeTokens > budgetTokens && !isFirst) return { ...fit, next: index };
    const text = isFirst ? cutText(whole, item.id, budgetTokens - separator) : whole;
    const cut = text !== whole;
    const tokens = cut ? estimateTokens(text) + separator : wholeTokens;
    fit.kept.push({ item, text, tokens, cut });
    fit.tokens += tokens;
  }
  return fit;
}

/** The text if it fits, else its beginning, up to a paragraph's, sentence's or word's end, and a mark that names the rest. */
export function cutText(text: string, id: string, budgetTokens: number): string {
  if (estimateTokens(text) <= budgetTokens) return text;
  const room = budgetTokens - estimateTokens(markOf(text.length, text.length, id));
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 8) {
    const middle = (fits + tooLong) >> 1;
    if (estimateTokens(text.slice(0, middle)) <= room) fits = middle;
    else tooLong = middle;
  }
  const shown = endWell(text, fits);
  return shown + markOf(shown.length, text.length, id);
}

function markOf(shown: number, whole: number, id: string): string {
  return `${shown > 0 ? ' ' : ''}[… cut: ${shown} of ${whole} characters shown; "${id}" has the rest]`;
}

/** Back to the last good place to stop, if one is in the later half; else to a word's end; never inside a character. */
function endWell(text: string, length: number): string {
  const head = text.slice(0, length);
  const ends = [/\n\s*\n/g, /[.!?](?=\s)|[。！？]|\n/g, /\s/g];
  for (const [index, pattern] of ends.entries()) {
    const at = lastEnd(head, pattern);
    if (at > length / (index === ends.length - 1 ? 1.25 : 2)) return head.slice(0, at).trimEnd();
  }
  return head.replace(/[\ud800-\udbff]$/, '');
}

function lastEnd(head: string, pattern: RegExp): number {
  let at = -1;
  for (const match of head.matchAll(pattern)) at = match.index + match[0].length;
  return at;
}
