// Finds the definition of a symbol in a file: from the index, else by the text. The latter is a heuristic for common code: a
// keyword, the name, and a block by brackets or indentation.
import type { Call } from '../../../core/call.ts';
import type { RepositoryTree } from '../context.ts';

/** Lines from 1, inclusive. */
export interface SymbolRange {
  start: number;
  end: number;
}

/** From the index; undefined if it does not contain the file or symbol. */
export type FindSymbol = (
  call: Call,
  place: RepositoryTree,
  path: string,
  symbol: string,
) => Promise<SymbolRange | undefined>;

/** `Class.method`, `Class::method` and `Class#method` are searched one inside the other. */
export function guessSymbol(text: string, symbol: string): SymbolRange | undefined {
  const lines = text.split('\n');
  let range: SymbolRange | undefined;
  for (const name of symbol.split(/::|[.#]/).filter((part) => part !== '')) {
    range = findIn(lines, name, range?.start ?? 1, range?.end ?? lines.length, range !== undefined);
    if (!range) return undefined;
  }
  return range && { start: withComment(lines, range.start), end: range.end };
}

function findIn(lines: readonly string[], name: string, first: number, last: number, isInner: boolean) {
  for (const pattern of patternsOf(name)) {
    for (let line = isInner ? first + 1 : first; line <= last; line++) {
      const found = lines[line - 1] as string;
      // Very long lines contain no definition that could be shown.
      if (found.length < 2_000 && pattern.test(found)) return { start: line, end: Math.min(endOf(lines, line), last) };
    }
  }
  return undefined;
}

const words =
  'function|class|interface|type|enum|struct|trait|impl|fn|func|fun|def|defp|defmodule|defmacro|module|namespace|record|object|protocol|extension|union|mod|macro_rules!|sub|package|procedure|contract';
const values = 'const|let|var|val|static|final|readonly';

/** Most specific first. The alternatives exclude each other and lines are short, so matching is fast. */
function patternsOf(name: string): RegExp[] {
  const word = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const [before, behind] = ['(?<![\\w$])', '(?![\\w$])'];
  return [
    new RegExp(`${before}(?:${words})\\*?\\s+(?:\\([^)]*\\)\\s*)?(?:[\\w.]+[.:])?${word}${behind}`),
    new RegExp(`${before}(?:${values})\\s+(?:mut\\s+)?${word}${behind}`),
    new RegExp(`^#{1,6}\\s+${word}`),
    // A method, or a C function: name and brackets, without signs of a call before or an end after.
    new RegExp(
      `^\\s*(?!return\\b|await\\b|new\\b|else\\b)(?:[\\w:<>,*&~@\\[\\]]+\\s+)*[*&]*(?:[\\w]+::)?${word}\\s*(?:<[^>]*>)?\\([^;{]*(?:\\{.*)?$`,
    ),
    new RegExp(`^\\s*["']?${word}["']?\\s*[:=]`),
    new RegExp(`${before}${word}\\s*=`),
  ];
}

function endOf(lines: readonly string[], start: number): number {
  const first = lines[start - 1] as string;
  const heading = /^(#{1,6})\s/.exec(first)?.[1];
  if (heading !== undefined) return endOfSection(lines, start, heading.length);
  return endOfBrackets(lines, start) ?? endOfIndentation(lines, start);
}

function endOfSection(lines: readonly string[], start: number, level: number): number {
  const next = new RegExp(`^#{1,${level}}\\s`);
  for (let line = start; line < lines.length; line++) if (next.test(lines[line] as string)) return line;
  return lines.length;
}

/** Lines within which a block must begin. */
const mostHeadLines = 15;

/** Undefined if no block begins, as in Python. */
function endOfBrackets(lines: readonly string[], start: number): number | undefined {
  let [depth, round] = [0, 0];
  let quote = '';
  let isBegun = false;
  let isSpread = false;
  for (let line = start; line <= lines.length; line++) {
    const text = lines[line - 1] as string;
    if (!isBegun && line - start > mostHeadLines) return undefined;
    if (quote !== '`') quote = '';
    for (let at = 0; at < text.length; at++) {
      const letter = text[at] as string;
      if (quote !== '') {
        if (letter === '\\') at++;
        else if (letter === quote) quote = '';
      } else if (letter === '/' && text[at + 1] === '/') break;
      else if (letter === '"' || letter === '`') quote = letter;
      // An apostrophe may be a lifetime or a digit separator.
      else if (letter === "'" && /^'(?:\\.|[^'\\])*'/.test(text.slice(at, at + 200))) {
        at += /^'(?:\\.|[^'\\])*'/.exec(text.slice(at, at + 200))?.[0].length ?? 1;
        at--;
      } else if (letter === '(' || letter === '[') round++;
      else if (letter === ')' || letter === ']') round--;
      else if (letter === '{') [depth, isBegun] = [depth + 1, isBegun || round <= 0];
      else if (letter === '}' && --depth <= 0 && isBegun && round <= 0) return line;
      else if (letter === ';' && depth === 0 && round <= 0) return line;
    }
    const isPlain = !isBegun && depth === 0 && round <= 0;
    if (isPlain && /:\s*(?:#.*)?$/.test(text)) return undefined;
    if (isPlain && isOver(lines, line, start)) return isSpread ? line : undefined;
    isSpread ||= round > 0;
  }
  return undefined;
}

/** A statement without an end mark ends where the next line is not indented deeper. */
function isOver(lines: readonly string[], line: number, start: number): boolean {
  const next = lines[line];
  if (next === undefined || next.trim() === '') return true;
  return indentOf(next) <= indentOf(lines[start - 1] as string) && !/^\s*[{)\].&|+*/?:]/.test(next);
}

function endOfIndentation(lines: readonly string[], start: number): number {
  const own = indentOf(lines[start - 1] as string);
  let end = start;
  for (let line = start + 1; line <= lines.length; line++) {
    const text = lines[line - 1] as string;
    if (text.trim() === '') continue;
    if (indentOf(text) > own) end = line;
    else return /^\s*(?:end|fi|done|esac)\b/.test(text) || /^\s*[)\]}]/.test(text) ? line : end;
  }
  return end;
}

function indentOf(line: string): number {
  return /^\s*/.exec(line)?.[0].replaceAll('\t', '    ').length ?? 0;
}

/** Comments and decorators directly above belong to it. */
function withComment(lines: readonly string[], start: number): number {
  let first = start;
  while (first > 1 && /^\s*(?:@|#\[|#(?!\s*(?:include|if|endif|define))|\/\/|\/\*|\*)/.test(lines[first - 2] as string))
    first--;
  return first;
}
