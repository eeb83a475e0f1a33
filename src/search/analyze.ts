// Splits a text into terms, the same way for documents and queries. Identifiers are split too: parseHttpHeader, parse_http and
// src/http/header.ts share the terms "pars", "http" and "header", and each is also a term as a whole.
import { stemmer } from 'stemmer';
import { isOtherWord } from './embed.ts';
import { functionWords } from './function-words.ts';
import { irregularForms } from './irregular.ts';
import { foldWord, judgeForeign, stemOther } from './language.ts';
import { splitLatin } from './latin-words.ts';

/** Runs of letters, with their vowel signs, and digits, with the characters that join them into an identifier, path or version. */
const compound = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[_\-./:@#]+[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu;
const humps = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|\p{N}+|[^\p{Lu}\p{Ll}\p{N}]+/gu;
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Longer terms are data, not language. */
const maxTerm = 64;

export function analyze(text: string): string[] {
  const terms: string[] = [];
  visitCompounds(text, (found) => {
    for (const term of takeApart(found)) terms.push(term);
  });
  return terms;
}

/** Counts the occurrences of each term. Long texts repeat most of their words, so each word is split once. */
export function countAnalyzed(text: string, count: (term: string, times: number) => void): void {
  const found = new Map<string, number>();
  visitCompounds(text, (one) => found.set(one, (found.get(one) ?? 0) + 1));
  for (const [one, times] of found) for (const term of takeApart(one)) count(term, times);
  visitForeign(text, (term) => count(term, 1));
}

const words = /\p{Script=Latin}[\p{Script=Latin}\p{M}]{3,}/gu;

/** Additional terms of a text in German, French, Spanish or Portuguese: words without their endings, and the parts of compounds. */
function visitForeign(text: string, visit: (term: string) => void): void {
  if (judgeForeign(text) <= 0) return;
  for (const [word] of text.matchAll(words)) {
    const folded = foldWord(word);
    if (latinStopWords.has(folded)) continue;
    const own = takeApart(word);
    for (const term of splitLatin(folded, isOtherWord)) if (!own.includes(term)) visit(term);
  }
}

const [joint, letter] = [1, 2];
const classes = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  return /[A-Za-z0-9]/.test(sign) ? letter : /[_\-./:@#]/.test(sign) ? joint : 0;
});

/** Calls back with every word, identifier and path. ASCII is read with a lookup table, several times as fast as the expression. */
export function visitCompounds(text: string, visit: (found: string) => void): void {
  if (/[^\0-\x7f]/.test(text)) {
    for (const [found] of text.normalize('NFKC').matchAll(compound)) visit(found);
    return;
  }
  const end = text.length;
  for (let at = 0; at < end; ) {
    if (classes[text.charCodeAt(at)] !== letter) {
      at++;
      continue;
    }
    const start = at;
    let last = at;
    do {
      while (at < end && classes[text.charCodeAt(at)] === letter) at++;
      last = at;
      while (at < end && classes[text.charCodeAt(at)] === joint) at++;
    } while (at < end && at > last && classes[text.charCodeAt(at)] === letter);
    visit(text.slice(start, last));
  }
}

/** A two-generation cache: words repeat in all texts. */
let late = new Map<string, readonly string[]>();
let earlier = late;
const mostLate = 12_000;

/** The terms of a word, an identifier or a path. */
function takeApart(found: string): readonly string[] {
  const known = late.get(found);
  if (known) return known;
  const before = earlier.get(found);
  // A copy, because a substring keeps the whole text in memory.
  const own = ` ${found}`.slice(1);
  const terms = before ?? splitCompound(own);
  if (late.size >= mostLate) {
    earlier = late;
    late = new Map();
  }
  if (own.length <= maxTerm) late.set(own, terms);
  return terms;
}

/** The terms of what `visitCompounds` finds. */
export function splitCompound(found: string): string[] {
  const terms: string[] = [];
  const words = found.split(/[_\-./:@#]+/);
  if (words.length === 1) addWord(found, terms);
  else {
    for (const word of words) for (const term of takeApart(word)) terms.push(term);
    addTerm(found.toLowerCase(), terms);
  }
  return terms;
}

function addWord(word: string, terms: string[]): void {
  if (cjk.test(word)) return addPairs(word, terms);
  const lower = foldWord(word);
  const parts = lower === word ? [word] : (word.match(humps) ?? [word]);
  if (parts.length > 1) for (const part of parts) addTerm(stem(foldWord(part)), terms);
  addTerm(parts.length > 1 ? lower : stem(lower), terms);
}

/** Scripts without spaces: each pair of neighbours is a term. */
function addPairs(word: string, terms: string[]): void {
  const letters = [...word];
  if (letters.length === 1) addTerm(word, terms);
  for (let at = 1; at < letters.length; at++) addTerm(`${letters[at - 1]}${letters[at]}`, terms);
}

function addTerm(term: string, terms: string[]): void {
  if (term.length > 0 && term.length <= maxTerm) terms.push(term);
}

function stem(word: string): string {
  // Words of three letters that end in s are more often names than plurals: css, dns, gas.
  if (word.length < 3 || /^..s$/.test(word)) return word;
  if (!/^[a-z]+$/.test(word)) return stemOther(word);
  // Porter stems deployment to deploy, but deploys to deploi.
  return stemmer(irregularForms.get(word) ?? word).replace(/y$/, 'i');
}

const { en: english, ...others } = functionWords;
const stopWords = new Set([...english].map(stem));
const latinStopWords = new Set(Object.values(functionWords).flatMap((own) => [...own].map(foldWord)));
const otherStopWords = new Set(Object.values(others).flatMap((words) => [...words].map(stem)));

/** Relative times ("two days ago"): no stored text contains them in that form. */
const distance = new RegExp(
  String.raw`\b(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|(?:a )?(?:few|couple(?: of)?)) (?:day|week|month|year)s? ago\b` +
    String.raw`|\b(?:in |over |during |within )?(?:the )?(?:past|last) (?:\d+|two|three|four|five|six|seven|eight|nine|ten|few|couple(?: of)?) (?:day|week|month|year)s\b`,
  'gi',
);

/** The distinct terms of a query without stop words; all terms if only stop words are left. */
export function analyzeQuery(text: string): string[] {
  const terms = readTerms(text);
  const timeless = text.replace(distance, ' ');
  const kept = timeless === text ? terms : readTerms(timeless);
  // "Hat" is a function word in German, but not in English.
  const isOther = judgeForeign(text) > 0 ? () => true : (term: string) => /[^\0-\x7f]/.test(term);
  const isStopWord = (term: string) => stopWords.has(term) || (otherStopWords.has(term) && isOther(term));
  const significant = [...terms].filter((term) => kept.has(term) && !isStopWord(term));
  return significant.length > 0 ? significant : [...terms];
}

function readTerms(text: string): Set<string> {
  const terms = new Set(analyze(text));
  visitForeign(text, (term) => terms.add(term));
  return terms;
}
