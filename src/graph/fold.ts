// A statement in the form in which it is compared: without what asks to remember it, and without differences of spacing,
// capital first letters, quotation marks and final punctuation. Everything else may be the point of it: commas ("No, use
// tabs"), capitals ("US"), identifiers, numbers, signs and code stay as they are.
import { stripLeadIn } from './lead-in.ts';

/** A plain word with a capital first letter; not part of an identifier, path or call. */
const capitalised = /(?<![\p{L}\p{N}_.\-/@#$])\p{Lu}\p{Ll}[\p{Ll}\p{M}]*(?![\p{L}\p{N}_(/]|[.-]\p{L})/gu;
const code = /(`[^`]*`)/;

export function foldText(text: string): string {
  const parts = stripLeadIn(text.normalize('NFC').trim()).split(code);
  const folded = parts
    .map((part, at) => (at % 2 === 1 ? part : foldProse(part)))
    .join('')
    .replace(/^(?:[-*•]\s+)+/, '')
    .replace(/\s+/g, ' ')
    .replace(/[\s.!…。！]+$/u, '')
    .replace(/^(?:A|I)(?= )/, (letter) => letter.toLowerCase())
    .trim();
  return folded === '' ? text.trim() : folded;
}

function foldProse(text: string): string {
  return text
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(capitalised, (word) => word.toLowerCase());
}
