// The significant words of a text, for judging whether two texts are related. Weights are the same in every project, because
// a young project has too few texts for statistics. Scripts without spaces are split into pairs of letters.
import { foldWord, functionWords, judgeForeign, otherScripts, stemOther } from '../../graph/words.ts';

/** Common in any text. */
const stopWords = readList(`
  a about after all also am an and any are as at be because been before being but by can could did do does doing don for
  from had has have having he her here hers him his how i if in into is isn it its just let like ll me more most my no nor
  not of ok okay on once only or other our out over own please re s same she should so some such t than thank thanks that
  the their them then there these they this those through to too under until up us ve very via was we were what when where
  which while who whom why will with won would yes you your yours`);

/** Common in prompts and notes on any subject. */
const everydayWords = readList(`
  add adjust again ago allow already always another answer anyone anything appear apply around ask available away back bad
  base become begin behave best better between big bit both bring build call case cause change check choose clear close
  come common compare complete consider contain continue convert copy correct count create current cut date day deal
  decide default define describe detail difference different document draft draw each easy edit either else end enough
  ensure error even every everything example exist expect explain extend fail far fast feel few file fill find first fit
  fix follow form format full further get give go good great group grow half hand handle happen hard help high hold hour
  idea implement important improve include increase instead issue item job keep kind know large last late later least
  leave left length less letter level line list little long look lose lot low main make many matter mean message middle
  minute miss month move much name near need never new next nice night note nothing notice now number off often old one
  open order others part pass people perhaps person pick place plan point possible post prepare print problem produce
  project provide put question quick quickly quite rather read ready real really reason receive reduce remove rename
  replace report result return review rewrite right run save say second section see seem send sentence separate set several
  short show side similar simple since size slow small solve someone something sort sound stand start state stay step still
  stop story suggest sure switch system take talk task tell test text thing think three time title today together tomorrow
  top translate true try turn two type understand update use user usual value version view wait walk want way week well
  whole within without word work world write wrong year yesterday yet zero`);

const { en: _, ...others } = functionWords;
const otherWords = new Set(Object.values(others).flatMap((words) => [...words]));

/** Weight relative to an uncommon word. */
const everydayShare = 0.2;

/** More text would not change the subject. */
const longest = 3_000;

/** A term and its weight. */
type Telling = readonly [term: string, weight: number];

/** A few thousand words cover nearly all text. */
const known = new Map<string, readonly Telling[]>();
const mostKnown = 20_000;

const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const latin = /^[\p{Script=Latin}\p{N}]+$/u;

/** Each significant word of a text, stemmed, with its weight. */
export function weighWords(text: string): Map<string, number> {
  const weights = new Map<string, number>();
  // "Hat" is a function word in German, but not in English.
  const isForeign = judgeForeign(text) > 0;
  for (const found of text.slice(0, longest).match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []) {
    const word = foldWord(found);
    if (isForeign && otherWords.has(word)) continue;
    for (const [term, weight] of known.get(word) ?? learnWord(word)) if (weight > 0) weights.set(term, weight);
  }
  return weights;
}

/** The share of letters in scripts that no embedding table knows. */
export function measureUnknown(text: string): number {
  const letters = text.slice(0, longest).match(/\p{L}/gu) ?? [];
  const known = letters.filter((letter) => latin.test(letter) || letter.search(otherScripts) >= 0);
  return 1 - known.length / Math.max(1, letters.length);
}

function learnWord(word: string): readonly Telling[] {
  if (known.size >= mostKnown) known.clear();
  const terms = spaceless.test(word) ? readPairs(word) : [latin.test(word) ? readLatin(word) : readOther(word)];
  known.set(word, terms);
  return terms;
}

function readLatin(word: string): Telling {
  const name = stem(word);
  const isEmpty = stopWords.has(name) || (name.length === 1 && !/\d/.test(name));
  const isEveryday = everydayWords.has(name) || /^\d{1,2}$/.test(name);
  return [name, isEmpty ? 0 : isEveryday ? everydayShare : 1];
}

/** Cyrillic, Arabic, Devanagari and others: short words say little. */
function readOther(word: string): Telling {
  if (otherWords.has(word)) return [word, 0];
  return [stemOther(word), word.length < 3 ? 0.1 : word.length === 3 ? 0.4 : 1];
}

/** A word has about two pairs; those of hiragana are mostly endings. */
function readPairs(word: string): Telling[] {
  return (word.match(/[\p{Script=Latin}\p{N}]+|[^\p{Script=Latin}\p{N}]+/gu) ?? []).flatMap((part): Telling[] => {
    if (latin.test(part)) return [readLatin(part)];
    const letters = [...part];
    if (letters.length === 1) return [[part, 0.3]];
    return letters.slice(1).map((letter, at) => {
      const pair = `${letters[at]}${letter}`;
      const endings = pair.match(/\p{Script=Hiragana}/gu)?.length ?? 0;
      return [pair, [0.5, 0.25, 0.1][endings] as number];
    });
  });
}

function readList(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/).map(stem));
}

/** Rough, but the same for both texts. */
function stem(word: string): string {
  if (/^.{2,}ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/^.{3,}ing$/.test(word)) return undouble(word.slice(0, -3));
  if (/^.{3,}ed$/.test(word)) return undouble(word.slice(0, -2));
  return word.replace(/^(.{2,}[^su])s$/, '$1').replace(/e$/, '');
}

function undouble(word: string): string {
  return word.replace(/([^aeiouls])\1$/, '$1').replace(/e$/, '');
}
