// Formats text for a terminal: wrapped, with relative dates, and without control sequences. Tools use it to show results; the
// caller decides what is bold or dim.
import { showHidden } from './fence-hidden.ts';

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  /** Most columns; Infinity if the output is not a terminal. */
  readonly width: number;
  /** Dates are relative to this time. */
  readonly now: number;
}

/** Lines of at most this many columns. A longer word stays whole, so that a URL can be copied. */
export function wrapText(text: string, width: number): string[] {
  return showHidden(text)
    .trimEnd()
    .split('\n')
    .flatMap((line) => wrapLine(line.replaceAll('\t', '    '), width));
}

/** Begins with `first`, and indents all other lines accordingly. */
export function hangText(first: string, text: string, width: number): string[] {
  const indent = ' '.repeat(widthOf(first));
  return wrapText(text, width - indent.length).map((line, at) => `${at === 0 ? first : indent}${line}`.trimEnd());
}

/** A name, tag or source, on one line. */
export function inOneLine(text: string): string {
  return showHidden(text).replace(/\s+/g, ' ').trim();
}

/** A formatted line with foreign names: its spaces stay, and it stays one line. */
export function asLine(text: string): string {
  return showHidden(text).replace(/\s+/g, (run) => (run.includes('\n') ? ' ' : run));
}

const printable = /^[\x20-\x7e]*[\x21-\x7e]$/;

/** The name of a file or folder that can be copied: a JSON string if it does not fit on a line. */
export function quoteName(name: string): string {
  if (printable.test(name) || (asLine(name) === name && !/\s$/.test(name))) return name;
  const unprintable = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(name).replace(unprintable, (character) => character.split('').map(escapeUnit).join(''));
}

/** Facts with dots between them, without missing ones, split only between facts. */
export function joinFacts(facts: readonly (string | undefined)[], width: number): string[] {
  const lines: string[] = [];
  for (const fact of facts) {
    if (fact === undefined || fact === '') continue;
    const last = lines.at(-1);
    const longer = `${last} · ${inOneLine(fact)}`;
    if (last !== undefined && widthOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(inOneLine(fact));
  }
  return lines;
}

/** Wrapped lines keep the indentation of a list or program. */
function wrapLine(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line];
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  for (const word of line.trim().split(/ +/)) {
    // Scripts without spaces can be split after any letter.
    for (const [at, part] of word.split(behindWide).entries()) {
      const last = lines.at(-1);
      const longer = at === 0 ? `${last} ${part}` : `${last}${part}`;
      if (last !== undefined && widthOf(longer) <= width) lines[lines.length - 1] = longer;
      else lines.push(indent + part);
    }
  }
  return lines;
}

const wideLetters =
  '[\\u1100-\\u115f\\u2e80-\\ua4cf\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff00-\\uff60\\uffe0-\\uffe6]';
let wide: RegExp | undefined;
const behindWide = new RegExp(`(?<=${wideLetters})`, 'u');

/** The width of a text: 0 for combining marks, 2 for Chinese, Japanese, Korean and emoji. */
export function widthOf(text: string): number {
  // Nearly all texts are plain.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  const seen = text.replace(/\p{Mn}|\p{Me}|\u200d|\ufe0f/gu, '');
  wide ??= new RegExp(`${wideLetters}|\\p{Emoji_Presentation}`, 'gu');
  return [...seen].length + (seen.match(wide)?.length ?? 0);
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `5 min ago`, `3 h ago`, `2 days ago`, then the date. A time in the future is `just now`. */
export function describeTime(written: string, now: number): string {
  const ago = now - Date.parse(written);
  if (Number.isNaN(ago)) return inOneLine(written);
  if (ago < minute) return 'just now';
  if (ago < hour) return `${Math.floor(ago / minute)} min ago`;
  if (ago < day) return `${Math.floor(ago / hour)} h ago`;
  if (ago < 7 * day) return ago < 2 * day ? '1 day ago' : `${Math.floor(ago / day)} days ago`;
  return formatDate(written, now);
}

/** `3 May`, with the year if it is another one. */
export function formatDate(written: string, now: number): string {
  const at = new Date(written);
  const date = `${at.getDate()} ${months[at.getMonth()]}`;
  return at.getFullYear() === new Date(now).getFullYear() ? date : `${date} ${at.getFullYear()}`;
}

/** Ends a list that was cut; a cursor is for programs. */
export const moreLine = 'There are more; raise --limit to see them.';

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Of lines: `7` or `7-9`. */
export function describeRange(start: number, end: number): string {
  return start === end ? String(start) : `${start}-${end}`;
}

/** Names and counts as columns, largest first. */
export function alignCounts(counts: Readonly<Record<string, number>>): string[] {
  const rows = Object.entries(counts).map(([name, count]) => [inOneLine(name).replaceAll('_', ' '), count] as const);
  const nameWidth = Math.max(0, ...rows.map(([name]) => widthOf(name)));
  const countWidth = Math.max(0, ...rows.map(([, count]) => String(count).length));
  return [...rows]
    .sort((a, b) => b[1] - a[1])
    .map(([name, count]) => `  ${name}${' '.repeat(nameWidth - widthOf(name))}  ${String(count).padStart(countWidth)}`);
}

/** The result of an operation, one fact a line. */
export function describeFacts(facts: { readonly [name: string]: unknown }): string[] {
  return Object.entries(facts).flatMap(([name, value]) => {
    const title = name.replaceAll('_', ' ');
    if (typeof value !== 'object' || value === null) return [`${title}: ${inOneLine(String(value))}`];
    if (!Array.isArray(value)) return describeFacts(value as { [name: string]: unknown });
    return [`${title}: ${value.length}`];
  });
}
