// Texts that cost a rule the most: its keywords in dense rows, its longest match repeated, and near misses of that, so that
// a pattern which looks far ahead does so from every place.
import { readPattern, writeMatch } from './pattern.mjs';

/** @typedef {{ id: string, keywords: readonly string[], pattern: RegExp }} Rule */

const glues = ['', '-', ' ', '=', '.', '/', '"', ': "', '=a', '_', '%', '\n', ':a', '="a1B2'];
const tastes = ['a', '7', 'B', '-', '_', '.', ' ', '/', '=', 'aB3'];
/** How much of a match is repeated; less than 1 is a near miss. */
const shares = [1, 0.99, 0.9, 0.5, 0.2];

/** Units to repeat. @param {Rule} rule @returns {string[]} */
export function listHostileUnits({ keywords, pattern }) {
  const tree = readPattern(pattern);
  const few = keywords.length > 4 ? keywords.slice(0, 4) : keywords;
  const units = few.flatMap((keyword) => glues.map((glue) => keyword + glue));
  for (const taste of tastes) {
    for (let branch = 0; branch < 4; branch++) {
      const match = writeMatch(tree, taste, branch);
      for (let more = 0; more < 8; more++) units.push(match.slice(0, (few[0]?.length ?? 3) + more));
      for (const share of shares) {
        const part = match.slice(0, Math.max(1, Math.floor(match.length * share)));
        units.push(`${part}`, `${part} `, `${part}~`);
        for (const keyword of few.slice(0, 1)) units.push(keyword + part, `${keyword}${taste.repeat(190)}`);
      }
    }
  }
  return [...new Set(units)];
}

/** @param {string} unit @param {number} length */
export function fill(unit, length) {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}
