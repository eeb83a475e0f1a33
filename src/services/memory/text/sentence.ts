// Splits a text into whole, unaltered sentences, list items, headings, table rows and code lines, each with its place.
// A period ends a sentence only before white space, so versions, file names, URLs and decimals never need a rule.
import { findBlocks, type SentenceForm, type TextBlock } from './sentence-blocks.ts';

export type { SentenceForm } from './sentence-blocks.ts';

export interface Sentence {
  /** Exactly `source.slice(start, end)`. */
  text: string;
  start: number;
  end: number;
  form: SentenceForm;
  /** Which paragraph, item or line of the text it belongs to. */
  block: number;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

/** Never the end of a sentence: something always follows. */
const openAbbreviations = words(`
  e.g i.e eg ie cf vs v viz resp incl excl esp approx ca dr mr mrs ms prof rev hon st mt gen col sgt capt lt fig figs eq
  sec ch pp p vol ed eds al z.b u.a d.h bzw ggf usw.v
`);
/** The end of a sentence only when a capital follows. */
const closingAbbreviations = words(`
  etc inc ltd co corp jr sr a.m p.m u.s u.k e.u jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat
  sun min max est dept no nr art min. hrs hr
`);

const closers = new Set(['"', "'", '”', '’', ')', ']', '}', '»', '*', '_', '`', '」', '』', '）']);
const wide = new Set(['。', '！', '？', '｡']);
const parenthesisReach = 240;
/** Text with longer lines was not wrapped by an editor: its lines end where their writer ended them. */
const widestColumn = 140;

export function splitSentences(text: string): Sentence[] {
  const { blocks, view } = findBlocks(text);
  const sentences: Sentence[] = [];
  blocks.forEach((block, number) => {
    for (const [from, to] of rangesOf(block, view)) {
      let start = from;
      let end = to;
      while (start < end && isSpace(view, start)) start++;
      while (end > start && isSpace(view, end - 1)) end--;
      if (start < end) sentences.push({ text: text.slice(start, end), start, end, form: block.form, block: number });
    }
  });
  return sentences;
}

function rangesOf(block: TextBlock, view: string): [number, number][] {
  if (block.form === 'code' || block.form === 'row' || block.form === 'heading') return [[block.start, block.end]];
  const ranges: [number, number][] = [];
  const breaks = findLineBreaks(view, block);
  let start = block.start;
  let lastTick = -1;
  let nextClose = -1;
  for (let at = block.start; at < block.end; at++) {
    const sign = view[at] as string;
    if (sign === '\n') {
      if (breaks.has(at)) {
        ranges.push([start, at]);
        start = at + 1;
      }
    } else if (sign === '`' && at > lastTick) {
      const close = view.indexOf('`', at + 1);
      lastTick = close < 0 ? block.end : close;
      // Code in the line is one word; a tick without its partner is just a sign.
      if (close > 0 && close < block.end && close - at < 400) at = close;
    } else if (sign === '(') {
      if (nextClose >= 0 && nextClose < at) nextClose = -1;
      if (nextClose < 0) nextClose = indexOr(view.indexOf(')', at), view.length);
      if (nextClose - at < parenthesisReach) at = findClosing(view, at, block.end);
    } else if (isTerminator(sign)) {
      const end = endOfSentence(view, at, block.end, start);
      if (end.ends) {
        ranges.push([start, end.at]);
        start = end.at;
      }
      at = end.at - 1;
    }
  }
  ranges.push([start, block.end]);
  return ranges;
}

/** The end of a sentence that may end at `at`, and whether it does; characters up to `at` need not be read again. */
function endOfSentence(view: string, at: number, limit: number, start: number): { ends: boolean; at: number } {
  let next = at;
  while (next < limit && isTerminator(view[next] as string)) next++;
  const run = view.slice(at, Math.min(next, at + 8));
  const bare = next;
  while (next < limit && closers.has(view[next] as string)) next++;
  if (wide.has(run.at(-1) ?? '')) return { ends: true, at: next };
  if (next >= limit) return { ends: true, at: limit };
  if (!isSpace(view, next)) return { ends: false, at: bare };
  let following = next;
  while (following < limit && isSpace(view, following)) following++;
  const first = following < limit ? String.fromCodePoint(view.codePointAt(following) ?? 32) : '';
  const lower = first !== first.toUpperCase();
  if (next > bare && lower) return { ends: false, at: next };
  if (run.length > 1 || run === '…') return { ends: !lower || run.includes('?') || run.includes('!'), at: next };
  if (run !== '.') return { ends: true, at: next };
  return { ends: !isAbbreviation(view, at, start, first, lower), at: next };
}

/** Whether the period at `at` belongs to the word before it. */
function isAbbreviation(view: string, at: number, start: number, first: string, lower: boolean): boolean {
  let from = at;
  while (from > start && at - from < 12 && /[\p{L}\p{N}.]/u.test(view[from - 1] as string)) from--;
  const word = view.slice(from, at);
  const low = word.toLowerCase();
  if (openAbbreviations.has(low)) return low.length > 1 || lower || /\d/.test(first);
  if (closingAbbreviations.has(low)) {
    if (low === 'no' || low === 'nr' || low === 'art') return /\d/.test(first);
    return lower || /\d/.test(first);
  }
  // "J. Smith" and "J. R. R.", but not "plan B. We …": an initial follows a capital, another initial or nothing.
  if (/^(?:\p{Lu}|\p{Lu}(?:\.\p{Lu})+)$/u.test(word) && word !== 'I' && !lower) {
    const before = view.slice(Math.max(start, from - 40), from).trimEnd();
    const last = before.slice(before.search(/\S+$/));
    return before === '' || /^\p{Lu}/u.test(last);
  }
  // "1. First do this": the number of an item in running text.
  return (
    /^\d{1,2}$/.test(word) && /^[\s*_#]*$/.test(view.slice(Math.max(start, from - 12), from)) && from - start <= 12
  );
}

/** The newlines of a block that are real line ends, not wraps. */
function findLineBreaks(view: string, block: TextBlock): Set<number> {
  const lines = view.slice(block.start, block.end).split('\n');
  const breaks = new Set<number>();
  if (lines.length < 2) return breaks;
  const width = lines.reduce((most, line) => Math.max(most, line.trimEnd().length), 0);
  const wrapped = width <= widestColumn;
  let at = block.start;
  for (let i = 0; i + 1 < lines.length; i++) {
    const line = (lines[i] as string).trimEnd();
    const next = (lines[i + 1] as string).trim();
    at += (lines[i] as string).length;
    const word = next.slice(0, 80).search(/\s|$/);
    const full = wrapped && line.length >= 50 && line.length + 1 + (word < 0 ? next.length : word) > width;
    if (!full && !/[,(–-]$/.test(line)) breaks.add(at);
    at++;
  }
  return breaks;
}

function findClosing(view: string, at: number, limit: number): number {
  let depth = 0;
  const end = Math.min(limit, at + parenthesisReach);
  for (let i = at; i < end; i++) {
    if (view[i] === '(') depth++;
    else if (view[i] === ')' && --depth === 0) return i;
  }
  return at;
}

function indexOr(index: number, other: number): number {
  return index < 0 ? other : index;
}

function isTerminator(sign: string): boolean {
  return sign === '.' || sign === '!' || sign === '?' || sign === '…' || wide.has(sign);
}

function isSpace(view: string, at: number): boolean {
  const sign = view[at] as string;
  return sign === ' ' || sign === '\n' || sign === '\t' || sign === '\r' || (sign > '\x7f' && sign.trim() === '');
}
