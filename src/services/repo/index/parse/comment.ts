// Finds the comment of a definition and the head comment of a file by lines, because grammars attach comments differently.
import type { Language } from '../language/language.ts';

const longestDoc = 1_000;
const mostLines = 40;

/** `line` is the definition's first, counted from 0. Lines between it and its comment, such as decorators, are skipped. */
export function readDocAbove(lines: readonly string[], line: number, { lineComment = [] }: Language): string {
  const found: string[] = [];
  let at = line - 1;
  for (let passed = 0; passed < 5 && /^\s*(?:@[\w.]|#!?\[|\[\w|template\s*<)/.test(lines[at] ?? ''); passed++) at--;
  const isLineComment = (text: string) => lineComment.some((mark) => text.startsWith(mark));
  if (/\*\/\s*$/.test(lines[at] ?? '')) {
    for (let count = 0; at >= 0 && count < mostLines; at--, count++) {
      found.unshift(lines[at] as string);
      if (/^\s*\/\*/.test(lines[at] as string)) return clean(found);
    }
    return '';
  }
  for (; at >= 0 && found.length < mostLines && isLineComment((lines[at] as string).trim()); at--) {
    found.unshift(lines[at] as string);
  }
  return clean(found);
}

/** The text with which a body begins, as Python has it. */
export function readDocInside(body: string): string {
  const match = /^\s*(?:#[^\n]*\n\s*)*[rRuUbBfF]{0,2}("""|'''|"|')([\s\S]*?)\1/.exec(body);
  return match ? clean((match[2] as string).split('\n')) : '';
}

/** The comment at the head of a file. */
export function readHead(text: string, language: Language): string {
  const start = text.slice(0, 4_000).replace(/^\ufeff?(?:#![^\n]*\n)?(?:<\?php)?\s*/, '');
  if (language.docs === 'inside') {
    const inside = readDocInside(start);
    if (inside !== '') return inside;
  }
  const block = /^(?:\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->)/.exec(start);
  if (block) return clean(block[0].split('\n'));
  const lines = start.split('\n');
  const marks = language.lineComment ?? [];
  const end = lines.findIndex((line) => !marks.some((mark) => line.trim().startsWith(mark)));
  return clean(lines.slice(0, end < 0 ? lines.length : end));
}

function clean(lines: readonly string[]): string {
  return lines
    .map((line) =>
      line.replace(/^\s*(?:\/\*+!?|\*\/|\*(?!\*)|\/\/[/!]?|#+!?|<!--)?\s?/, '').replace(/\s*(?:\*+\/|-->)?\s*$/, ''),
    )
    .join('\n')
    .trim()
    .slice(0, longestDoc);
}
