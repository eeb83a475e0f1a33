// Fits how the judgement by words and meaning (fast) and that of the deep stage are combined, and measures the result (README.md).
// node tools/rank/relevance/fit.mjs SETS [--measure SETS] [--in FOLDER]; the sets are what describe.mjs wrote
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** @typedef {[fast: number, deep: number | null, right: number]} Candidate */
/** @typedef {{ store: number, prompt: string, helped: boolean, candidates: Candidate[] }} Judged */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { measure: { type: 'string', default: '' }, in: { type: 'string', default: '.rank' } },
});
/** The share of unhelped prompts that stay unchanged. */
const silent = 0.96;
const mostGiven = 5;
const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

/** @param {string} set @returns {Judged[]} */
const read = (set) => JSON.parse(readFileSync(join(values.in, 'judged', `${set}.json`), 'utf8'));
const fitted = positionals.flatMap(read);
const [fast, deep] = regress(fitted);
const slopes = { fast: fast ?? 0, deep: deep ?? 0, offset: 0 };
/** Chosen by the silence, because most prompts need no memory. */
const learned = { ...slopes, offset: findOffset(fitted, slopes) };
print(`learned: ${JSON.stringify(learned)}`);
for (const set of [...positionals, ...values.measure.split(',').filter(Boolean)]) {
  report(`${set}, fast`, read(set), ([own]) => own - 0.5);
  report(`${set}, both`, read(set), (one) => weigh(one, learned));
}

/** @param {Candidate} candidate @param {typeof slopes} by */
function weigh([own, read], by) {
  return read === null ? own - 0.5 : by.fast * own + by.deep * read + by.offset;
}

/** Logistic regression by Newton's method, slightly regularised. @param {Judged[]} judged */
function regress(judged) {
  const rows = judged.flatMap(({ candidates }) => candidates.filter(([, read]) => read !== null));
  const weights = [0, 0, 0];
  for (let round = 0; round < 30; round++) {
    const slope = weights.map((weight) => 0.1 * weight);
    const curve = weights.map((_, a) => weights.map((_, b) => (a === b ? 0.1 : 0)));
    for (const [own, read, right] of rows) {
      const x = [own, /** @type {number} */ (read), 1];
      const p = 1 / (1 + Math.exp(-x.reduce((sum, value, at) => sum + value * weights[at], 0)));
      for (let a = 0; a < 3; a++) {
        slope[a] += (p - right) * x[a];
        for (let b = 0; b < 3; b++) curve[a][b] += p * (1 - p) * x[a] * x[b];
      }
    }
    solve(curve, slope).forEach((step, at) => {
      weights[at] -= step;
    });
  }
  return weights;
}

/** @param {number[][]} matrix @param {number[]} vector */
function solve(matrix, vector) {
  const rows = matrix.map((row, at) => [...row, vector[at]]);
  for (let at = 0; at < rows.length; at++) {
    for (let other = 0; other < rows.length; other++) {
      if (other === at) continue;
      const share = rows[other][at] / rows[at][at];
      rows[other] = rows[other].map((value, column) => value - share * rows[at][column]);
    }
  }
  return rows.map((row, at) => row[rows.length] / row[at]);
}

/** @param {Judged[]} judged @param {typeof slopes} by */
function findOffset(judged, by) {
  const unhelped = judged.filter(({ helped }) => !helped);
  const highest = unhelped.map(({ candidates }) => Math.max(-20, ...candidates.map((one) => weigh(one, by))));
  return -(highest.sort((a, b) => a - b)[Math.ceil(silent * highest.length) - 1] ?? 0) - 1e-6;
}

/** @param {string} name @param {Judged[]} judged @param {(candidate: Candidate) => number} weigh */
function report(name, judged, weigh) {
  const given = judged.map(({ candidates }) =>
    candidates
      .map((one) => ({ score: weigh(one), right: one[2] === 1 }))
      .sort((a, b) => b.score - a.score)
      .slice(0, mostGiven)
      .filter(({ score }) => score >= 0),
  );
  const share = (/** @type {boolean[]} */ all) =>
    `${((100 * all.filter(Boolean).length) / Math.max(1, all.length)).toFixed(1)} %`;
  const helped = given.filter((_, at) => judged[at].helped).map((one) => one.some(({ right }) => right));
  const unchanged = given.filter((_, at) => !judged[at].helped).map((one) => one.length === 0);
  print(
    `${name}: helped ${share(helped)}, unchanged ${share(unchanged)}, given and right ${share(given.flat().map(({ right }) => right))}`,
  );
}
