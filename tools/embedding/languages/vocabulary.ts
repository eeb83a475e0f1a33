// Chooses the rows of the languages table, and the function words: node vocabulary.mjs PAIRS OUT. The score of a word is the sum
// over the sources of the square root of its frequency, so that no source dominates. Pieces are chosen by use: all candidates
// split all words, the least used are removed, three times.
import { readFileSync, writeFileSync } from 'node:fs';
import { splitWord } from '../../../src/search/embed-rows.ts';
import { foldWord, otherScripts } from '../../../src/search/language.ts';

const [pairs, out] = process.argv.slice(2) as [string, string];
const quotas = { latin: 30_000, zh: 11_000, ja: 9_500, ko: 9_500, ru: 11_000, ar: 9_500, hi: 8_000 };
const latin = ['de', 'fr', 'es', 'pt'];

type Counts = Map<string, number>;

function readWords(language: string): { counts: Counts } {
  const bySource = new Map<string, Counts>();
  /** How often a word is in both texts. */
  const [total, same] = [new Map<string, number>(), new Map<string, number>()];
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
  for (const line of readFileSync(`${pairs}/${language}.tsv`, 'utf8').split('\n')) {
    const [source, original, text] = line.split('\t');
    if (!source || !original || !text) continue;
    const own = bySource.get(source) ?? new Map<string, number>();
    bySource.set(source, own);
    const add = (word: string) => own.set(word, (own.get(word) ?? 0) + 1);
    if (latin.includes(language)) {
      const english = new Set(original.toLowerCase().match(/[a-z]+/g));
      for (const [word] of text.matchAll(/[\p{Script=Latin}\p{M}]+/gu)) {
        const folded = foldWord(word);
        add(folded);
        total.set(folded, (total.get(folded) ?? 0) + 1);
        if (english.has(folded)) same.set(folded, (same.get(folded) ?? 0) + 1);
      }
    } else
      for (const [run] of text.matchAll(otherScripts)) {
        if (language !== 'zh' && language !== 'ja') add(foldWord(run));
        else for (const { segment } of segmenter.segment(foldWord(run))) if (segment.length <= 8) add(segment);
      }
  }
  const counts = new Map<string, number>();
  for (const own of bySource.values())
    for (const [word, count] of own) counts.set(word, (counts.get(word) ?? 0) + Math.sqrt(count));
  // Names and technical terms that are not translated: the English row is the right one.
  for (const [word, count] of same) if (count >= (total.get(word) as number) / 2) counts.delete(word);
  return { counts };
}

function choose(counts: Counts, quota: number, isSpaced: boolean): string[] {
  const scores = new Map<string, number>();
  const must = new Map<string, number>();
  const raise = (map: Map<string, number>, piece: string, by: number) => map.set(piece, (map.get(piece) ?? 0) + by);
  for (const [word, count] of counts) {
    const letters = [...word];
    for (const [at, letter] of letters.entries()) raise(must, isSpaced && at > 0 ? `##${letter}` : letter, count);
    if (count >= 1.4) raise(scores, word, count);
    if (!isSpaced) continue;
    for (let end = 2; end < word.length && end <= 12; end++) raise(scores, word.slice(0, end), count);
    for (let start = 1; start < word.length; start++)
      for (let end = start + 2; end <= word.length && end - start <= 10; end++)
        raise(scores, `##${word.slice(start, end)}`, count);
  }
  let kept = new Set([...scores].filter(([, score]) => score >= (isSpaced ? 6 : 1.4)).map(([piece]) => piece));
  for (const [word, count] of counts) if (count >= 1.4) kept.add(word);
  const single = [...must].filter(([, score]) => score >= 3).map(([piece]) => piece);
  for (const share of [3, 1.7, 1]) {
    for (const piece of single) kept.add(piece);
    const names = [...kept];
    const rows = new Map(names.map((name, at) => [name, at]));
    const used = new Float64Array(names.length);
    for (const [word, count] of counts)
      for (const row of splitWord((piece) => rows.get(piece), word, isSpaced))
        used[row] = (used[row] as number) + count;
    const order = names
      .map((name, at) => [name, used[at] as number] as const)
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    kept = new Set(order.slice(0, Math.round(quota * share)).map(([name]) => name));
  }
  for (const piece of single.slice(0, 6_000)) if (isSpaced || kept.size < quota * 1.2) kept.add(piece);
  return [...kept];
}

const rows = new Set<string>();
const all = new Map<string, ReturnType<typeof readWords>>();
for (const language of ['zh', 'ja', 'ko', 'ru', 'ar', 'hi', ...latin]) all.set(language, readWords(language));
for (const language of ['zh', 'ja', 'ko', 'ru', 'ar', 'hi'] as const) {
  const before = rows.size;
  const { counts } = all.get(language) as ReturnType<typeof readWords>;
  for (const piece of choose(counts, quotas[language], language !== 'zh' && language !== 'ja')) rows.add(piece);
  process.stderr.write(`${language}: ${counts.size} words, ${rows.size - before} rows\n`);
}
const together: Counts = new Map();
for (const language of latin)
  for (const [word, count] of all.get(language)?.counts ?? []) together.set(word, (together.get(word) ?? 0) + count);
const before = rows.size;
for (const piece of choose(together, quotas.latin, true)) rows.add(piece);
process.stderr.write(`latin: ${together.size} words, ${rows.size - before} rows; ${rows.size} in all\n`);
writeFileSync(`${out}/rows.txt`, [...rows].filter((row) => !/\s/.test(row)).join('\n'));
const frequent = Object.fromEntries(
  [...all].map(([language, { counts }]) => [
    language,
    [...counts]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 150)
      .map(([word]) => word),
  ]),
);
writeFileSync(`${out}/frequent.json`, JSON.stringify(frequent));
