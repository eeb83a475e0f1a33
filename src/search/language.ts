// What the search knows about languages other than English: which script a run of letters has, whether a text in Latin letters
// is in another language, and the one spelling of words that people write in several ways.
import { functionWords } from './function-words.ts';

const letters = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Cyrillic', 'Arabic', 'Devanagari']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
/** Runs of letters of the other scripts, with Arabic vowel signs, the Japanese long vowel and joiners. */
export const otherScripts = new RegExp(`[${letters}](?:[${letters}\\u064b-\\u065f\\u0670ー]|\\u200c|\\u200d)*`, 'gu');
/** Written without spaces; Korean has spaces. */
export const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu;

/** Enough to know the language, in characters; and by how many words English must lead to read no further. */
const judged = { most: 400, lead: 4 };

/**
 * How much a text in Latin letters looks like one of the languages below rather than English: above 0 if more words do.
 * A loop, because every text is judged.
 */
export function judgeForeign(text: string): number {
  let [foreign, english] = [0, 0];
  const end = Math.min(text.length, judged.most);
  for (let at = 0; at < end && english - foreign < judged.lead; at++) {
    const start = at;
    let isAccented = false;
    for (let code = text.charCodeAt(at); isLatin(code); code = text.charCodeAt(++at)) isAccented ||= code > 127;
    const length = at - start;
    if (length === 0) continue;
    if (isAccented) foreign++;
    else if (length <= longestFunctionWord) {
      const word = text.slice(start, at).toLowerCase();
      if (functionWords.en.has(word)) english++;
      else if (latinWords.has(word)) foreign++;
    }
  }
  return foreign - english;
}

/** Also with accents, which may be characters of their own. At the end of a text the code is NaN. */
function isLatin(code: number): boolean {
  return (
    ((code | 32) >= 97 && (code | 32) <= 122) || (code >= 0xc0 && code <= 0x24f) || (code >= 0x300 && code <= 0x36f)
  );
}

const longestFunctionWord = 9;
const latinWords = new Set((['de', 'fr', 'es', 'pt'] as const).flatMap((language) => [...functionWords[language]]));

/** Lower case, without accents, optional vowel signs and variants of letters. */
export function foldWord(word: string): string {
  if (/^[\0-\x7f]*$/.test(word)) return word.toLowerCase();
  return word
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u064b-\u065f\u0670\u0640\u093c]|\u200c|\u200d/g, '')
    .normalize('NFD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(/[\u00df\u0451\u0623\u0625\u0622\u0649\u0629\u0901]/g, (letter) => variants.get(letter) as string);
}

const variants = new Map([
  ['\u00df', 'ss'],
  // Russian yo, Arabic alef, yeh and teh, the Hindi sign for nasal vowels.
  ['\u0451', '\u0435'],
  ['\u0623', '\u0627'],
  ['\u0625', '\u0627'],
  ['\u0622', '\u0627'],
  ['\u0649', '\u064a'],
  ['\u0629', '\u0647'],
  ['\u0901', '\u0902'],
]);

/** Endings of Russian, Arabic and Hindi words, and Arabic articles; folded. At least three letters are left. */
const inflections: readonly RegExp[] = [
  /^([а-я]{3,}?)(?:иями|ами|ями|ого|его|ому|ему|ыми|ими|ией|иям|ием|иях|ешь|ете|ить|ать|ять|еть|ала|ила|или|али|ия|ии|ию|ие|ев|ов|ей|ой|ий|ый|ая|яя|ую|юю|ое|ее|ые|ам|ям|ом|ем|ах|ях|ут|ют|ет|ит|ат|ят|ть|ла|ло|ли|[аеиоуыьюяй])$/,
  /^(?:وال|بال|كال|فال|لل|ال)([\u0621-\u064a]{3,})$/,
  /^([\u0621-\u064a]{3,}?)(?:ات|ون|ين|ها|هم|كم|نا|يه|ه|ي)$/,
  /^([\u0900-\u097f]{3,}?)(?:ियों|ियां|ाओं|ाएं|ओं|ों|ें|ां|ता|ते|ती|ना|ने|नी|[ािीुूेैोौं])$/,
];
/** Longer ones are not words. */
const longestWord = 40;

/** The stem of a word in another script; the word itself if none of the rules is about it. */
export function stemOther(word: string): string {
  if (word.length > longestWord) return word;
  return inflections.reduce((stem, rule) => stem.replace(rule, '$1'), word);
}
