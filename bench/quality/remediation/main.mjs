// How often remediation_search finds the fix of an error, and how often it stays silent when there is none.
// node bench/quality/remediation/main.mjs [tune|held] [--failures]      without a part: both. Fails below the bounds.
import { runBundled } from '../../bundle.mjs';

/** What the project promises. */
const bounds = { top1: 0.95, silent: 0.98 };

const asked = process.argv.slice(2);
const parts = ['tune', 'held'].filter((part) => asked.includes(part));

for (const part of parts.length > 0 ? parts : ['tune', 'held']) {
  const tallies = await runBundled('bench/quality/remediation/run.ts', {
    part,
    failures: asked.includes('--failures'),
  });
  const rows = Object.entries(tallies);
  const whole = { asked: 0, right: 0, unrelated: 0, silent: 0 };
  for (const [, tally] of rows) for (const key of Object.keys(whole)) whole[key] += tally[key];
  console.log(`\n${part}\n`);
  for (const [name, { asked: count, right, unrelated, silent }] of [...rows, ['all', whole]]) {
    console.log(
      `${name.padEnd(11)} top-1 ${share(right, count)} (${right}/${count})   silent ${share(silent, unrelated)} (${silent}/${unrelated})`,
    );
  }
  if (whole.right < bounds.top1 * whole.asked || whole.silent < bounds.silent * whole.unrelated) process.exitCode = 1;
}

/**
 * @param {number} part
 * @param {number} whole
 */
function share(part, whole) {
  return `${((100 * part) / whole).toFixed(1)} %`.padStart(7);
}
