// Prints how fast text is read: megabytes a second of CPU, best of five, on ordinary text without secrets, on the text
// of files named on the command line, and on text full of secrets. Bytes are counted as characters. With --hostile, the
// text that costs each rule the most, grown from 100 kB to 10 MB: at most two seconds, and in proportion.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readCases } from './cases.mjs';
import { fill, listHostileUnits } from './hostile.mjs';
import { loadRedact } from './load.mjs';

const { findSecrets, listSecretRules } = await loadRedact();
const size = 8e6;

/** @param {string} text */
function repeat(text) {
  return text.repeat(Math.ceil(size / text.length)).slice(0, size);
}

/** @param {string} name @param {string} text */
function measure(name, text) {
  let best = Number.POSITIVE_INFINITY;
  let found = 0;
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage();
    found = findSecrets(text).length;
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, user + system);
  }
  const speed = (text.length / best).toFixed(0);
  console.log(`${name.padEnd(40)}${speed.padStart(6)} MB/s  ${found} found in ${(text.length / 1e6).toFixed(1)} MB`);
}

/** @param {string} path */
const read = (path) => readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');

/** Milliseconds of CPU. @param {string} text */
function timeOf(text) {
  const before = process.cpuUsage();
  findSecrets(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** @param {readonly string[]} units @param {number} length @param {number} most */
function keepSlowest(units, length, most) {
  const timed = units.map((unit) => ({ unit, time: timeOf(fill(unit, length)) }));
  return timed
    .sort((a, b) => b.time - a.time)
    .slice(0, most)
    .map(({ unit }) => unit);
}

const longestTime = 2_000;
const steepest = 2;

function measureHostile() {
  const rows = listSecretRules().map((rule) => {
    const [unit = ''] = keepSlowest(keepSlowest(listHostileUnits(rule), 4_000, 8), 100_000, 1);
    const [small = 0, middle = 0, large = 0] = [1e5, 1e6, 1e7].map((length) => timeOf(fill(unit, length)));
    return { id: rule.id, unit, small, middle, large };
  });
  for (const { id, unit, small, middle, large } of rows.sort((a, b) => b.large - a.large)) {
    const isSlow = large > longestTime || large > steepest * 10 * middle;
    if (isSlow) process.exitCode = 1;
    const times = [small, middle, large].map((time) => `${time.toFixed(0)} ms`.padStart(10)).join('');
    console.log(`${id.padEnd(22)}${times}  ${isSlow ? 'TOO SLOW  ' : ''}${JSON.stringify(unit.slice(0, 40))}`);
  }
}

const files = process.argv.slice(2).filter((name) => name !== '--hostile');
if (process.argv.includes('--hostile')) {
  measureHostile();
  process.exit();
}
measure('prose: ARCHITECTURE.md, repeated', repeat(read('ARCHITECTURE.md')));
measure('code: src/core/registry/registry.ts, repeated', repeat(read('src/core/registry/registry.ts')));
measure('lock file: package-lock.json, repeated', repeat(read('package-lock.json')));
for (const file of files) measure(file, readFileSync(file, 'utf8'));
const cases = readCases('tune').filter(({ labels }) => labels.length > 0);
measure('nothing but secrets', repeat(cases.map(({ text }) => text).join('\n')));
