// How often remediation_search finds the fix of an error, and how often it stays silent when there is none.
// node bench/quality/remediation/main.mjs [tune|held] [--failures]      without a part: both. It reports; it does not judge.
import { runBundled } from '../../bundle.mjs';

/** What the project promises. */
const targets = { top1: 0.95, silent: 0.98 };
/** Sets of errors: the last one was written when everything was chosen on the others. */
const parts = { tune: ['1', '2', '3'], held: ['4'] };

const asked = process.argv.slice(2);
const chosen = Object.keys(parts).filter((part) => asked.includes(part));

for (const part of chosen.length > 0 ? chosen : Object.keys(parts)) {
  const whole = createTally();
  for (const set of parts[part]) {
    const tallies = await runBundled('bench/quality/remediation/run.ts', {
      set,
      failures: asked.includes('--failures'),
    });
    console.log(`\n${part}, set ${set}\n`);
    const sum = createTally();
    for (const [name, tally] of Object.entries(tallies)) {
      tell(name, tally);
      add(sum, tally);
    }
    tell('all', sum);
    add(whole, sum);
  }
  const holds = whole.right >= targets.top1 * whole.asked && whole.silent >= targets.silent * whole.unrelated;
  console.log(`\n${part}: the targets (95 % found, 98 % silent) ${holds ? 'hold' : 'do not hold'}`);
}

function createTally() {
  return { asked: 0, right: 0, unrelated: 0, silent: 0 };
}

/**
 * @param {Record<string, number>} sum
 * @param {Record<string, number>} tally
 */
function add(sum, tally) {
  for (const key of Object.keys(sum)) sum[key] += tally[key];
}

/**
 * @param {string} name
 * @param {Record<string, number>} tally
 */
function tell(name, { asked: count, right, unrelated, silent }) {
  console.log(
    `${name.padEnd(11)} top-1 ${share(right, count)} (${right}/${count})   silent ${share(silent, unrelated)} (${silent}/${unrelated})`,
  );
}

/**
 * @param {number} part
 * @param {number} whole
 */
function share(part, whole) {
  return `${((100 * part) / whole).toFixed(1)} %`.padStart(7);
}
