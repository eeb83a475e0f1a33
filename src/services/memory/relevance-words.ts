// The words of a text that tell what it is about, for judging whether two texts have to do with each other. What a word
// tells is the same in every project: a search's own weights know only the few texts of a young one.

/** What stands in any text. */
const stopWords = readList(`
  a about after all also am an and any are as at be because been before being but by can could did do does doing don for
  from had has have having he her here hers him his how i if in into is isn it its just let like ll me more most my no nor
  not of ok okay on once only or other our out over own please re s same she should so some such t than thank thanks that
  the their them then there these they this those through to too under until up us ve very via was we were what when where
  which while who whom why will with won would yes you your yours`);

/** What stands in prompts and notes whatever they are about. */
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

/** Of what an uncommon word tells. */
const everydayShare = 0.2;

/** More of a text would not make it be about anything else. */
const longest = 3_000;

interface Telling {
  stem: string;
  /** None for what stands in any text. */
  weight: number;
}

/** A few thousand words make up nearly all that is said. */
const known = new Map<string, Telling>();
const mostKnown = 20_000;

/** Each telling word of a text, brought to its stem, and how much it tells. */
export function weighWords(text: string): Map<string, number> {
  const weights = new Map<string, number>();
  const start = text.length > longest ? text.slice(0, longest) : text;
  for (const word of start.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const { stem: name, weight } = known.get(word) ?? learnWord(word);
    if (weight > 0) weights.set(name, weight);
  }
  return weights;
}

function learnWord(word: string): Telling {
  if (known.size >= mostKnown) known.clear();
  const name = stem(word);
  const isEmpty = stopWords.has(name) || (name.length === 1 && !/\d/.test(name));
  const isEveryday = everydayWords.has(name) || /^\d{1,2}$/.test(name);
  const telling = { stem: name, weight: isEmpty ? 0 : isEveryday ? everydayShare : 1 };
  known.set(word, telling);
  return telling;
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
