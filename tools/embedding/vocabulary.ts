// Which rows the table has. Most of BERT's pieces; instead of those no text of ours can reach (placeholders, scripts the
// teacher never learned), whole words of our field that BERT cuts up, and frequent pairs of words that mean something
// else together.
import { createWordPiece, visitWords } from '../../src/search/wordpiece.ts';
import type { Corpus } from './corpus.ts';

interface Vocabulary {
  /** Spelling of each row; a pair is two words with a blank between. */
  rows: string[];
}

const wordRows = 1500;
/** At most; the corpus has about six hundred that pass. */
const pairRows = 1200;

export function chooseVocabulary(corpus: Corpus, teacher: ReadonlyMap<string, number>): Vocabulary {
  const kept = [...teacher.keys()].filter((piece) => /^(##)?[\x21-\x7e]+$/.test(piece) && !/^\[.*\]$/.test(piece));
  for (const mark of '[]') if (!kept.includes(mark)) kept.push(mark);
  const known = new Set(kept);
  const words = chooseWords(corpus, known).slice(0, wordRows);
  const rows = [...kept, ...words];
  const pairs = choosePairs(corpus, new Map(rows.map((row, index) => [row, index])), rows).slice(0, pairRows);
  return { rows: [...rows, ...pairs] };
}

/** Lower-case words of at least three packages: an identifier of one library is not a word. */
function chooseWords(corpus: Corpus, known: ReadonlySet<string>): string[] {
  const counts = new Map<string, { count: number; origins: Set<number> }>();
  for (const [index, text] of corpus.texts.entries()) {
    visitWords(text, (word) => {
      if (!/^([a-z]{3,}|[A-Z][a-zA-Z]+[a-z]|[A-Z]{2,6})$/.test(word) || known.has(word.toLowerCase())) return;
      const lower = word.toLowerCase();
      const seen = counts.get(lower) ?? { count: 0, origins: new Set() };
      seen.count++;
      // A camelCase spelling does not prove a word, but it counts towards one.
      if (!/[a-z][A-Z]/.test(word)) seen.origins.add(corpus.origins[index] as number);
      counts.set(lower, seen);
    });
  }
  return [...counts]
    .filter(([, { count, origins }]) => origins.size >= 3 && count >= 8)
    .sort(([a, x], [b, y]) => y.count * y.origins.size - x.count * x.origins.size || (a < b ? -1 : 1))
    .map(([word]) => word);
}

/** A pair with one of these says nothing the other word does not. */
const empty = new Set(
  'a an the this that these those of to in on at by for from with as into over and or but not no nor if then than so is are was were be been being am do does did has have had will would can could may might must shall should it its he she they we you i me my your his her our their them him us who which what when where how why there here all any each some more most other such only own same too very just also one use used using set get new'.split(
    ' ',
  ),
);

/** By count times pointwise mutual information, the usual measure of a phrase. */
function choosePairs(corpus: Corpus, pieces: ReadonlyMap<string, number>, rows: readonly string[]): string[] {
  const tokenize = createWordPiece(pieces, { splitCase: true });
  const single = new Float64Array(rows.length);
  const pairs = new Map<number, { count: number; origins: Set<number> }>();
  let total = 0;
  for (const [index, text] of corpus.texts.entries()) {
    let before = -1;
    tokenize(text, (token) => {
      total++;
      single[token] = (single[token] as number) + 1;
      const word = /^[a-z]{2,}$/.test(rows[token] as string) && !empty.has(rows[token] as string);
      if (before >= 0 && word) {
        const key = before * rows.length + token;
        const seen = pairs.get(key) ?? { count: 0, origins: new Set() };
        seen.count++;
        if (seen.origins.size < 8) seen.origins.add(corpus.origins[index] as number);
        pairs.set(key, seen);
      }
      before = word ? token : -1;
    });
  }
  const scored: { name: string; score: number }[] = [];
  for (const [key, { count, origins }] of pairs) {
    if (count < 25 || origins.size < 4) continue;
    const [a, b] = [Math.floor(key / rows.length), key % rows.length];
    const information = Math.log((count * total) / ((single[a] as number) * (single[b] as number)));
    if (information > 2) scored.push({ name: `${rows[a]} ${rows[b]}`, score: count * information });
  }
  return scored.sort((x, y) => y.score - x.score || (x.name < y.name ? -1 : 1)).map(({ name }) => name);
}
