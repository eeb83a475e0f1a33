// Decides which labelled sentences a memory was extracted from, and whether keeping it was right.
/** @typedef {import('./read.mjs').Sentence} Sentence */

const script = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}_]+/gu;

/** Words, or single characters where a script does not separate words. @param {string} text */
export function tokens(text) {
  return text.toLowerCase().match(script) ?? [];
}

/**
 * A memory comes from a sentence when it holds 60 % of the sentence's tokens, or when it is a clause of it: 80 % of the
 * memory's tokens are in the sentence, and they are at least 30 % of the sentence. A memory that holds more unwanted text
 * than wanted text is wrong, and so is one that comes from no sentence.
 * @param {string} memory @param {Sentence[]} sentences
 * @returns {{ verdict: 'right' | 'wrong' | 'either', sources: Sentence[] }}
 */
export function judge(memory, sentences) {
  const said = tokens(memory);
  const weight = { keep: 0, drop: 0, either: 0, output: 0 };
  /** @type {Sentence[]} */
  const sources = [];
  for (const sentence of sentences) {
    const words = tokens(sentence.text);
    const common = countCommon(said, words);
    const share = common / Math.max(1, words.length);
    // A heading of one or two words is in nearly every sentence around it.
    if (words.length < 3 && said.length > 2 * words.length) continue;
    if (share < 0.6 && !(common / Math.max(1, said.length) >= 0.8 && share >= 0.3)) continue;
    sources.push(sentence);
    weight[sentence.label] += common;
  }
  const unwanted = weight.drop + weight.output;
  if (weight.keep > 0 && weight.keep >= unwanted) return { verdict: 'right', sources };
  return { verdict: weight.either > 0 && weight.either >= unwanted ? 'either' : 'wrong', sources };
}

/** @param {string[]} some @param {string[]} others */
function countCommon(some, others) {
  /** @type {Map<string, number>} */
  const left = new Map();
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of some) {
    const count = left.get(word) ?? 0;
    if (count > 0) {
      left.set(word, count - 1);
      common++;
    }
  }
  return common;
}
