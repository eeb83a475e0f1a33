// Brings a statement into a form that can be compared: roots of words without articles, without what opens a correction
// and without the time it speaks of, so that "No, since May the port is now 9443" and "The port is 9443." are one.
import { findMoments } from './contradict-when.ts';

export interface Word {
  low: string;
  root: string;
  /** Written with a capital inside a sentence: a name. */
  name: boolean;
}

export interface Statement {
  words: Word[];
  /** What it denies in passing: "instead of Redis", ", not Redis". */
  against: string[][];
  /** Whether it says that something changed. */
  changed: boolean;
  /** "also", "too": it adds and does not replace. */
  adds: boolean;
  /** Words without "not", and how many were taken out. */
  negated: boolean;
}

const opening =
  /^(?:(?:no|nope|nah|actually|wait|sorry|correction|update|wrong|ok(?:ay)?|well|so|but|and|hey|btw|fyi|yes|by the way|in fact|please|remember|note|that(?:'s| is| was)(?: all)? (?:not (?:right|true|correct)(?: any ?more)?|wrong|incorrect|outdated|no longer (?:true|right|correct))|that changed|i was wrong|as a correction|from now on|going forward|these days|nowadays|currently|now|today|for now|meanwhile|recently|finally)\b(?: that)?[,:;.!-]*\s*)+/i;
const fillers =
  /\b(?:now|currently|nowadays|these days|today|already|just|actually|really|recently|finally|meanwhile|from now on|going forward|at the moment|by now|instead(?! of)|any ?more|as usual|simply|basically|still)\b/gi;
const contractions: [RegExp, string][] = [
  [/\bcan't\b/gi, 'cannot'],
  [/\bwon't\b/gi, 'will not'],
  [/n't\b/gi, ' not'],
  [/\b(i)'m\b/gi, '$1 am'],
  [/'re\b/gi, ' are'],
  [/'ve\b/gi, ' have'],
  [/\b(it|that|there|he|she|what|who)'s\b/gi, '$1 is'],
];
const articles = new Set(['the', 'a', 'an', 'our', 'your', 'their', 'its', 'that', 'have', 'been']);
const roots: Record<string, string> = Object.fromEntries(
  `is:be are:be am:be was:be were:be been:be being:be has:have had:have does:do did:do done:do written:write wrote:write
  rewrote:rewrite rewritten:rewrite built:build kept:keep ran:run sent:send chose:choose chosen:choose went:go goes:go
  gone:go made:make held:hold led:lead set:set cut:cut put:put read:read moved:move lives:live lived:live uses:use
  used:use using:use called:call named:name based:base stored:store left:leave met:meet`
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
);

const reach = 600;

export function readStatement(sentence: string): Statement {
  let text = sentence
    .slice(0, reach)
    .replace(/[‘’]/g, "'")
    .replace(/[`*"“”]|(?<=\s)_|_(?=\s)/g, '');
  text = cutMoments(text.trim());
  const bare = text.replace(opening, '');
  const changed =
    bare !== text || /\b(?:now|instead|no longer|any ?more|since|as of|switched|moved|migrated)\b/i.test(sentence);
  text = bare;
  for (const [shape, whole] of contractions) text = text.replace(shape, whole);
  const against: string[][] = [];
  text = text.replace(
    /,? (?:instead of|rather than|in place of|and not|,? not|no longer) ([\w.+#/-]+(?: [\w.+#/-]+){0,2})(?=[.;,!]|$)/gi,
    (whole, denied: string) => {
      // "is not required" denies what is said, "Valkey, not Redis" another value.
      if (/\bnot\b|no longer/i.test(whole) && !/^,| and not/.test(whole)) return whole;
      against.push(wordsOf(denied).map(({ root }) => root));
      return '';
    },
  );
  const adds = /\b(?:also|too|as well|additionally|in addition|another|besides)\b/i.test(text);
  text = text.replace(/\bno longer\b|\bcannot\b|\bnever\b/gi, (word) =>
    word.toLowerCase() === 'cannot' ? 'can not' : word.toLowerCase() === 'never' ? 'never' : 'not',
  );
  const words = wordsOf(text.replace(fillers, ' '));
  const negated = words.some(({ low }) => low === 'not' || low === 'never');
  return { words, against, changed, adds, negated };
}

export function wordsOf(text: string): Word[] {
  const found = text.match(/[\p{L}\p{N}@#][\p{L}\p{N}_./:@#%+'-]*|%/gu) ?? [];
  const words: Word[] = [];
  found.forEach((raw, i) => {
    const bare = raw.replace(/[.,:;'/-]+$/, '').replace(/'s$/i, '');
    const low = bare.toLowerCase();
    if (low === '' || articles.has(low)) return;
    words.push({ low, root: rootOf(low), name: i > 0 && /^\p{Lu}/u.test(bare) });
  });
  return words;
}

export function rootOf(low: string): string {
  const known = Object.hasOwn(roots, low) ? roots[low] : undefined;
  if (known !== undefined) return cutE(known);
  if (low.length < 4 || !/^[a-z-]+$/.test(low)) return low;
  const single = low
    .replace(/ies$/, 'y')
    .replace(/(?<!s|u|i)s$/, '')
    .replace(/(ss|sh|ch|x)es?$/, '$1');
  const base = single
    .replace(/ied$/, 'y')
    .replace(/([^aeiou])\1ed$/, '$1')
    .replace(/(?<=\w\w)ed$/, '')
    .replace(/(?<=\w\w\w)ing$/, '');
  return cutE(base);
}

function cutE(word: string): string {
  return word.replace(/(?<=\w\w\w)e$/, '');
}

function cutMoments(text: string): string {
  let cut = text;
  for (const { start, end } of findMoments(text).reverse()) {
    // Only what stands at an edge says when; "kept in 2024 folders" says what.
    if (/^on \w+day$/i.test(cut.slice(start, end))) continue;
    const before = cut.slice(0, start).trim();
    const after = cut.slice(end).trim();
    if (before === '' || /^(?:[.,;:!]|and\b|because\b|$)/.test(after))
      cut = `${before} ${after.replace(/^[,:]/, '')}`.trim();
  }
  return cut;
}
