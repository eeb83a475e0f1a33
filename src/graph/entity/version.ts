// Versions, with the thing they belong to where it stands beside them: `node 20`, `zod 3.22.4`. A bare number is one
// only if it could hardly be anything else.
import type { Draft } from './draft.ts';
import { everydayProducts, knownPackages, products, units } from './words.ts';

const number =
  /(?<![\w.$€£#/\\%])(?:(>=|<=|~=|~>|==|\^|~|>|<|=)([ \t]?))?(v?)(\d{1,5}(?:\.\d{1,6}){0,3}(?:\.[x*](?![\w*]))?(?:-[A-Za-z][0-9A-Za-z]{0,20}(?:[.-][0-9A-Za-z]{1,20}){0,4})?(?:\+[0-9A-Za-z.]{1,30})?)(?![\w%*]|[.,]\d|:\d)/gi;
const thingBefore =
  /(?:^|[^\w@./-])([`'"]?)(@?[A-Za-z.][\w./@+-]{0,60})\1(?:[ \t]+versions?|,? (?:at|version)|:)?(?:[ \t]*[@:]?[ \t]?)(['"]?)$/;
const announced =
  /\b(?:versions?|releases?|released|tags?|tagged|upgrade(?:d|s)? to|bump(?:ed|s)? to|downgraded? to|pinned to)[ \t:]+$/i;
const chapter =
  /(?:\b(?:sections?|chapters?|figures?|fig|tables?|steps?|paragraphs?|appendix|rules?|items?|clauses?|requirements?|articles?|page|at)\.?|§)[ \t]*$/i;

interface Thing {
  name: string;
  start: number;
  isProduct: boolean;
  isEveryday: boolean;
}

export function findVersions(draft: Draft): void {
  for (const match of draft.text.matchAll(number)) {
    const [written, operator = '', space = '', v = '', digits = ''] = match;
    const before = draft.source.slice(Math.max(0, match.index - 80), match.index);
    const parts = (/^[\d.]+/.exec(digits)?.[0] ?? '').split('.').filter((part) => part !== '').length;
    const isDotted = parts > 1 || /\.[x*]$/.test(digits);
    const thing = readThing(before, match.index);
    const end = match.index + written.length;
    const sign = /^=+$/.test(operator) ? '' : operator;
    if (thing && belongs(thing, { parts, isDotted, isMarked: v !== '' || operator !== '', text: draft.source, end })) {
      draft.add('version', `${thing.name} ${sign}${digits}`, thing.start, end);
      draft.hide(match.index, end);
    } else if (standsAlone({ before, operator, space, isMarked: v !== '', digits, parts, isDotted })) {
      draft.claim('version', `${sign}${digits}`, match.index, end);
    }
  }
}

function readThing(before: string, at: number): Thing | undefined {
  const match = thingBefore.exec(before);
  if (!match) return undefined;
  const written = match[2] as string;
  const start = at - before.length + match.index + match[0].indexOf(written);
  const word = written.toLowerCase();
  const first = /([A-Za-z]+)[ \t]$/.exec(before.slice(0, start - (at - before.length)));
  const pair = first && products.get(`${first[1]?.toLowerCase()}_${word}`);
  if (pair) return { name: pair, start: start - first[0].length, isProduct: true, isEveryday: false };
  const product = products.get(word);
  if (product) return { name: product, start, isProduct: true, isEveryday: everydayProducts.has(word) };
  const isPackage = /^@[\w.-]+\/[\w.-]+$/.test(word) || /^[a-z]\w*(?:-\w+)+$/.test(written) || knownPackages.has(word);
  const isEntry = match[1] === '"' && match[3] === '"' && word !== 'version';
  const isTicked = (match[1] === '`' || isEntry) && /^[a-z][\w.-]*$/.test(written);
  return isPackage || isTicked ? { name: word, start, isProduct: false, isEveryday: false } : undefined;
}

interface Number {
  parts: number;
  isDotted: boolean;
  isMarked: boolean;
  text: string;
  end: number;
}

function belongs(thing: Thing, { parts, isDotted, isMarked, text, end }: Number): boolean {
  if (!thing.isProduct) return parts === 3 || (isDotted && isMarked);
  if (isDotted || isMarked) return true;
  const next = /^[ \t]+([A-Za-z]+)/.exec(text.slice(end, end + 24))?.[1]?.toLowerCase();
  return !thing.isEveryday && !(next && units.has(next));
}

interface Candidate {
  before: string;
  operator: string;
  space: string;
  isMarked: boolean;
  digits: string;
  parts: number;
  isDotted: boolean;
}

function standsAlone({ before, operator, space, isMarked, digits, parts, isDotted }: Candidate): boolean {
  if (!isDotted || parts > 3 || /[\w)\]@:]$/.test(before) || (operator !== '' && space !== '')) return false;
  if (chapter.test(before)) return false;
  if (isMarked || announced.test(before)) return true;
  if (operator !== '') return !/^[<>=]$/.test(operator);
  if (parts < 3) return /\.[x*]$/.test(digits);
  // 1.234.567 is a count in half of Europe, 2024.01.05 and 05.01.2024 are days.
  return !/^\d{1,3}(?:\.\d{3})+$|^\d{4}\.\d\d\.\d\d$|^\d{1,2}\.\d{1,2}\.\d{4}$/.test(digits);
}
