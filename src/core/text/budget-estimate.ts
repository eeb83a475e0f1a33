// Estimates the tokens of a text without a tokenizer, because each is megabytes large and clients use different ones. The
// weights are fitted to o200k and to Claude's published tokenizer on prose, code and data. The estimate is rather too high,
// since exceeding a budget is worse than not using it up.

/** Words (a camel-case name is several), capitals, digits, line breaks with their indent, wide spaces, marks, the rest. */
const shapes = /([A-Z]?[a-z]+)|([A-Z]+(?![a-z]))|(\d+)|([\n\r]\s*)|( {2,}|\t+)|([!-/:-@[-`{-~]+)|(\P{ASCII}+)|\p{Cc}/gu;

const accented = /[\u00c0-\u024f\u1e00-\u1eff]/u;
/** Tokens per character, by script, if a character is a large part of a token or more. */
const scripts: readonly [pattern: RegExp, perCharacter: number][] = [
  [/[\u00a0-\u00bf]/u, 1],
  [accented, 0.65],
  [/[\u0370-\u052f]/u, 0.45],
  [/[\u0590-\u08ff]/u, 0.7],
  [/[\u0900-\u109f]/u, 0.8],
  [/[\u2010-\u2027\u3000-\u303f\uff00-\uffef]/u, 1],
  [/[\u2190-\u21ff]/u, 1.5],
  [/[\u2500-\u257f]/u, 0.6],
  [/[\u3040-\u30ff]/u, 0.85],
  [/[\u3400-\u9fff\uf900-\ufaff]/u, 0.95],
  [/[\uac00-\ud7af]/u, 1],
];
/** Emoji, rare scripts, symbols: several bytes, none of them joined. */
const otherCharacter = 2.4;
const scriptCosts = new Map<number, number>();
const maxCosts = 20_000;

/** After a long word's sixth letter: little in English, whose words the tokenizers know, more in other languages. */
const perLetter = 0.05;
const perForeignLetter = 0.35;
/** With one accented letter in this many letters, a text counts as a language other than English. */
const accentsRate = 150;

/** Stops counting at `enough`: the result then only means "more". */
export function estimateTokens(text: string, enough = Number.POSITIVE_INFINITY): number {
  let sum = 0;
  let letters = 0;
  let farLetters = 0;
  let accents = 0;
  for (const match of text.matchAll(shapes)) {
    const length = match[0].length;
    if (match[1] !== undefined) {
      sum += 1;
      letters += length;
      farLetters += Math.max(0, length - 6);
    } else if (match[2] !== undefined) sum += 1.5 + 0.2 * Math.max(0, length - 3);
    else if (match[3] !== undefined) sum += 1.15 * Math.ceil(length / 3);
    else if (match[4] !== undefined || match[5] !== undefined) sum += 1.1 + Math.floor(length / 64);
    else if (match[6] !== undefined) sum += 1 + 0.25 * (length - 1);
    else if (match[7] !== undefined) {
      sum += costOf(match[7]);
      if (accented.test(match[7])) accents++;
    } else sum += 1;
    if (sum > enough) break;
  }
  const isForeign = accents * accentsRate > letters;
  return Math.ceil(sum + farLetters * (isForeign ? perForeignLetter : perLetter));
}

function costOf(run: string): number {
  let sum = 0;
  for (const character of run) {
    const code = character.codePointAt(0) as number;
    let cost = scriptCosts.get(code);
    if (cost === undefined) {
      cost = scripts.find(([pattern]) => pattern.test(character))?.[1] ?? otherCharacter;
      if (scriptCosts.size < maxCosts) scriptCosts.set(code, cost);
    }
    sum += cost;
  }
  return sum;
}
