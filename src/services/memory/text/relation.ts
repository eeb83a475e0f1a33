// Finds out whether a new statement may disagree with an older one. It only suggests: sharing most of their words and
// differing in the rest is all it asks for, in any language, so it also names statements that are both true.
import { createComparer } from '../../../graph/duplicate/duplicate.ts';
import type { Relation } from '../kinds.ts';
import { splitSentences } from './sentence.ts';

interface Related {
  relation: Relation;
  /** The higher, the likelier. */
  score: number;
}

interface Word {
  low: string;
  hasDigit: boolean;
  weight: number;
}

type Words = readonly Word[];

/** Comparing longer texts word by word takes too long. */
const longestCompared = 5_000;
/** A sentence of more words says more than one thing. */
const mostWords = 40;
/** A text of more sentences is a document; in a conversation, a turn of more than one is chat. */
const mostSentences = { usual: 3, talk: 1 };

interface Needed {
  /** The share of the shorter statement's words that the other must have, and the share beside another number. */
  share: number;
  shareWithNumber: number;
  /** The weight of the words in common, and the same beside another number. */
  shared: number;
  sharedWithNumber: number;
}

const needed: Record<'alone' | 'among', Needed> = {
  alone: { share: 0.45, shareWithNumber: 0.4, shared: 1, sharedWithNumber: 1 },
  /** Among other sentences, and in a conversation, one more often looks alike by chance. */
  among: { share: 0.7, shareWithNumber: 0.5, shared: 3, sharedWithNumber: 1.5 },
};

const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}`;
const letter = new RegExp(`[${unspaced}]`, 'gu');
const word = new RegExp(String.raw`[${unspaced}]|[\p{L}\p{M}\p{N}_]+(?:[-.:/@'’][\p{L}\p{M}\p{N}_]+)*`, 'gu');

/** Reads the new statement once, to be compared with many older ones. */
export function createRelater(text: string, isTalk = false): (older: string) => Related | undefined {
  const most = isTalk ? mostSentences.talk : mostSentences.usual;
  const sentences = readSentences(text, most);
  const compareWith = text.length > longestCompared ? undefined : createComparer(text);
  return (older) => {
    if (older.length <= longestCompared && compareWith?.(older).same) {
      return { relation: 'repeats', score: 2 };
    }
    const earlier = readSentences(older, most);
    const least = needed[isTalk || earlier.length + sentences.length > 2 ? 'among' : 'alone'];
    let best = 0;
    for (const before of earlier) {
      for (const now of sentences) best = Math.max(best, compare(before, now, least));
    }
    return best > 0 ? { relation: 'may_disagree', score: best } : undefined;
  };
}

function readSentences(text: string, most: number): Words[] {
  const sentences = text.length > longestCompared ? [] : splitSentences(text);
  if (sentences.length > most) return [];
  return sentences
    .filter((sentence) => sentence.form !== 'code' && !/[?？؟]\s*$/u.test(sentence.text))
    .map((sentence) => readWords(sentence.text))
    .filter((words) => words.length > 0 && words.length <= mostWords);
}

function readWords(text: string): Words {
  const found = text.normalize('NFKC').replace(letter, ' $& ').match(word) ?? [];
  return found.map((piece) => {
    const hasDigit = /\p{N}/u.test(piece);
    return { low: piece.toLowerCase(), hasDigit, weight: weigh(piece, hasDigit) };
  });
}

/** Short words mostly join others, in every language; a single letter of a script without spaces is half a word. */
function weigh(piece: string, hasDigit: boolean): number {
  if (piece.length === 1 && piece.search(letter) === 0) return 0.5;
  return hasDigit || /\p{Lu}{2}/u.test(piece) || piece.length > 3 ? 1 : 0.3;
}

function compare(older: Words, newer: Words, least: Needed): number {
  const left = [...newer];
  const onlyOlder: number[] = [];
  let shared = 0;
  older.forEach((one, at) => {
    const twin = left.findIndex((other) => isSame(one, other));
    if (twin < 0) onlyOlder.push(at);
    else shared += (left.splice(twin, 1)[0] as Word).weight;
  });
  // The same sentence in both says nothing against either.
  if (onlyOlder.length === 0 && left.length === 0) return 0;
  const share = Math.min(1, shared / Math.min(total(older), total(newer)));
  const hasNumber = onlyOlder.some((at) => hasOtherNumber(older, at, newer, left));
  if (shared < (hasNumber ? least.sharedWithNumber : least.shared)) return 0;
  if (share < (hasNumber ? least.shareWithNumber : least.share)) return 0;
  return share + (hasNumber ? 0.5 : 0);
}

/** "after 30 seconds" and "after 60 seconds": another number beside the same word. */
function hasOtherNumber(older: Words, at: number, newer: Words, left: Words): boolean {
  if (!older[at]?.hasDigit) return false;
  return newer.some((one, place) => {
    if (!one.hasDigit || !left.includes(one)) return false;
    return [-1, 1].some((step) => {
      const [before, now] = [older[at + step], newer[place + step]];
      return before && now ? isSame(before, now) : step > 0 && !before && !now;
    });
  });
}

/** Inflection changes the end of a word in most languages. */
function isSame(a: Word, b: Word): boolean {
  if (a.low === b.low) return true;
  const shorter = Math.min(a.low.length, b.low.length);
  if (a.hasDigit || b.hasDigit || shorter < 3 || Math.abs(a.low.length - b.low.length) > 4) return false;
  return a.low.slice(0, shorter - 1) === b.low.slice(0, shorter - 1) && shorter > 3;
}

function total(words: Words): number {
  return words.reduce((sum, { weight }) => sum + weight, 0);
}
