// Normalises a statement for comparison: without words that ask to remember it, and without differences in spacing, capital
// first letters, quotation marks and final punctuation. Everything else may be significant: commas ("No, use tabs"), capitals
// ("US"), identifiers, numbers, signs and code stay.
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

/** A pattern anchored at the end would retry each run of dots from every dot. */
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
