// Fits how the judgement by words and meaning (fast) and that of the deep stage are combined, and measures the result (README.md).
// node tools/rank/relevance/fit.mjs SETS [--silence SET] [--measure SETS] [--in FOLDER]; the sets are what describe.mjs wrote
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** `read` is what the deep stage says: the logarithm of the odds, then the cosine after each layer. */
/** @typedef {{ right: number, fast: number, read: number[] | null }} Candidate */
/** @typedef {{ store: number, prompt: string, helped: boolean, candidates: Candidate[] }} Judged */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silence: { type: 'string', default: 'tune' },
    measure: { type: 'string', default: '' },
    in: { type: 'string', default: '.rank' },
  },
});
/** The share of unhelped prompts that stay unchanged. */
const silent = 0.955;
const mostGiven = 5;
const folds = 5;
const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

/** @param {string} set @returns {Judged[]} */
const read = (set) => JSON.parse(readFileSync(join(values.in, 'judged', `${set}.json`), 'utf8'));
const fitted = positionals.flatMap((set) => read(set).map((one) => ({ ...one, project: `${set} ${one.store}` })));
const weights = regress(fitted);
/** Chosen by the silence, because most prompts need no memory. */
const offset = findOffset(read(values.silence), weights);
const [fast = 0, deep = 0, ...cosines] = weights.map((weight) => Number(weight.toFixed(2)));
print(`learned: ${JSON.stringify({ fast, deep, cosines, offset: Number(offset.toFixed(2)) })}`);
for (const set of [...new Set([...positionals, values.silence, ...values.measure.split(',').filter(Boolean)])]) {
  report(`${set}, fast`, read(set), ({ fast: own }) => own - 0.5);
  report(`${set}, both`, read(set), (one) => weigh(one, weights) + offset);
}
const projects = [...new Set(fitted.map(({ project }) => project))];
const apart = projects.map((_, at) => at % folds);
const crossed = Array.from({ length: folds }, (_, fold) => {
  const isKept = (/** @type {{ project: string }} */ { project }) => apart[projects.indexOf(project)] === fold;
  const own = regress(fitted.filter((one) => !isKept(one)));
  return { own, offset: findOffset(read(values.silence), own), kept: fitted.filter(isKept) };
});
report(
  `projects kept apart, both`,
  crossed.flatMap(({ kept, own, offset: added }) =>
    kept.map((one) => ({
      ...one,
      candidates: one.candidates.map((each) => ({ ...each, score: weigh(each, own) + added })),
    })),
  ),
  (one) => /** @type {any} */ (one).score,
);

/** Without the offset. What the deep stage has not read is judged by the fast one alone. @param {Candidate} candidate @param {number[]} by */
function weigh({ fast: own, read: said }, by) {
  if (said === null) return own >= 0.5 ? 20 : -20;
  return [own, ...said].reduce((sum, value, at) => sum + value * /** @type {number} */ (by[at]), 0);
}

/** Logistic regression by Newton's method, slightly regularised. @param {Judged[]} judged */
function regress(judged) {
  const rows = judged.flatMap(({ candidates }) => candidates.filter((one) => one.read !== null));
  const inputs = rows.map(({ fast: own, read: said }) => [own, .../** @type {number[]} */ (said), 1]);
  const size = inputs[0]?.length ?? 1;
  const found = new Array(size).fill(0);
  for (let round = 0; round < 30; round++) {
    const slope = found.map((weight, at) => (at === size - 1 ? 0 : 0.1 * weight));
    const curve = found.map((_, a) => found.map((_, b) => (a === b ? 0.1 : 0)));
    for (const [row, x] of inputs.entries()) {
      const p = 1 / (1 + Math.exp(-x.reduce((sum, value, at) => sum + value * found[at], 0)));
      for (let a = 0; a < size; a++) {
        slope[a] += (p - rows[row].right) * x[a];
        for (let b = 0; b < size; b++) curve[a][b] += p * (1 - p) * x[a] * x[b];
      }
    }
    solve(curve, slope).forEach((step, at) => {
      found[at] -= step;
    });
  }
  return found.slice(0, -1);
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

/** @param {Judged[]} judged @param {number[]} by */
function findOffset(judged, by) {
  const unhelped = judged.filter(({ helped }) => !helped);
  const highest = unhelped.map(({ candidates }) => Math.max(-20, ...candidates.map((one) => weigh(one, by))));
  return -(highest.sort((a, b) => a - b)[Math.ceil(silent * highest.length) - 1] ?? 0) - 0.005;
}

/** @param {string} name @param {Judged[]} judged @param {(candidate: Candidate) => number} score */
function report(name, judged, score) {
  const given = judged.map(({ candidates }) =>
    candidates
      .map((one) => ({ score: score(one), right: one.right === 1 }))
      .sort((a, b) => b.score - a.score)
      .slice(0, mostGiven)
      .filter((one) => one.score >= 0),
  );
  const share = (/** @type {boolean[]} */ all) =>
    `${((100 * all.filter(Boolean).length) / Math.max(1, all.length)).toFixed(1)} %`;
  const helped = given.filter((_, at) => judged[at].helped).map((one) => one.some(({ right }) => right));
  const unchanged = given.filter((_, at) => !judged[at].helped).map((one) => one.length === 0);
  print(
    `${name}: helped ${share(helped)}, unchanged ${share(unchanged)}, given and right ${share(given.flat().map(({ right }) => right))}`,
  );
}
