// Takes the entries of a list that fit a token budget, and returns where the next page starts. The order is kept and no entry
// is skipped, so that a cursor is one number.
import { estimateTokens } from './budget-estimate.ts';
import { findPassage } from './passage.ts';

export { estimateTokens } from './budget-estimate.ts';

export interface Fit<T> {
  kept: { item: T; text: string; tokens: number; cut: boolean }[];
  tokens: number;
  /** The index of the first entry that is not shown; undefined if all are. */
  next: number | undefined;
}

/** Between two entries of a page there is at least a line break. */
const separator = 1;

/**
 * From `start` on, up to the first entry that does not fit. The first is always included, truncated if needed: a page is
 * never empty, so following the cursor reaches the end.
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
    const wholeTokens = estimateTokens(whole, budgetTokens) + separator;
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

/**
 * The text if it fits, else a part of it that ends at a paragraph, sentence or word, with a mark that explains how to read
 * the rest: its beginning, or the passage with the most words of the query.
 */
export function cutText(
  text: string,
  id: string,
  budgetTokens: number,
  { query = '', rest = `recall "${id}" returns the whole text` } = {},
): string {
  if (estimateTokens(text, budgetTokens) <= budgetTokens) return text;
  const room = budgetTokens - estimateTokens(markOf(text.length, text.length, text.length, rest));
  const start = query === '' ? 0 : findPassage(text, query, Math.max(0, room) * charactersPerToken);
  const end = endOfPage(text, start, room);
  const shown = text.slice(start, end).trimEnd();
  return `${start > 0 ? '[…] ' : ''}${shown}${shown === '' ? '' : ' '}${markOf(start, start + shown.length, text.length, rest)}`;
}

/** An approximation for choosing a passage; the result is measured. */
const charactersPerToken = 1;

function markOf(start: number, end: number, whole: number, rest: string): string {
  const shown = start === 0 ? `${end}` : `${start} to ${end}`;
  return `[… truncated: ${shown} of ${whole} characters shown; ${rest}]`;
}

/** The end of a page from `start` that fits the budget. */
export function endOfPage(text: string, start: number, budgetTokens: number): number {
  let [fits, tooLong] = [start, text.length + 1];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (estimateTokens(text.slice(start, middle), budgetTokens) <= budgetTokens) fits = middle;
    else tooLong = middle;
  }
  return fits === text.length ? fits : start + endWell(text.slice(start, fits));
}

/** Back to the last good break in the later half, else to the end of a word; never inside a character. */
function endWell(head: string): number {
  const ends = [/\n\s*\n/g, /[.!?](?=\s)|[。！？]|\n/g, /\s/g];
  for (const [index, pattern] of ends.entries()) {
    const at = lastEnd(head, pattern);
    if (at > head.length / (index === ends.length - 1 ? 1.25 : 2)) return at;
  }
  return head.replace(/[\ud800-\udbff]$/, '').length;
}

function lastEnd(head: string, pattern: RegExp): number {
  let at = -1;
  for (const match of head.matchAll(pattern)) at = match.index + match[0].length;
  return at;
}
