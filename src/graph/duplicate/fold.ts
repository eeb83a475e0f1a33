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
    .replace(/^(?:A|I)(?= )/, (letter) => letter.toLowerCase());
  return dropEnding(folded).trim() || text.trim();
}

/** A pattern with an end would try each run of dots from every dot in it. */
function dropEnding(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s.!…。！]/.test(text[end - 1] as string)) end--;
  return text.slice(0, end);
}

function foldProse(text: string): string {
  return text
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(capitalised, (word) => word.toLowerCase());
}
