// Prints what each way of combining both judgements gives, for `combined` and `talk` in src/services/memory (README.md).
// node tools/rank/relevance/choose.mjs SETS [--in FOLDER]; the sets are what describe.mjs wrote, e.g. tune tune-2000
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** @typedef {{ right: number, fast: number, deep: number | null, isTalk: boolean }} Candidate */
/** @typedef {{ helped: boolean, candidates: Candidate[] }} Judged */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { in: { type: 'string', default: '.rank' } },
});
const mostGiven = 5;
const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

for (const set of positionals) {
  /** @type {Judged[]} */
  const judged = JSON.parse(readFileSync(join(values.in, 'judged', `${set}.json`), 'utf8'));
  print(`${set}: weight of words and meaning, offset, odds of a turn: helped / unchanged, given and right`);
  report('words and meaning alone', judged, ({ fast }) => fast - 0.5);
  for (const weight of [0, 1, 2, 4]) {
    for (const offset of [0, -0.5, -1]) {
      for (const talk of [0, -2, -4]) {
        report(`${weight} ${offset} ${talk}`, judged, ({ fast, deep, isTalk }) =>
          deep === null ? fast - 0.5 : weight * fast + deep + offset + (isTalk ? talk : 0),
        );
      }
    }
  }
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
    ((100 * all.filter(Boolean).length) / Math.max(1, all.length)).toFixed(1);
  const helped = given.filter((_, at) => judged[at]?.helped).map((one) => one.some(({ right }) => right));
  const unchanged = given.filter((_, at) => !judged[at]?.helped).map((one) => one.length === 0);
  print(`${name}: ${share(helped)} / ${share(unchanged)}, ${share(given.flat().map(({ right }) => right))}`);
}
