// Prints how fast text is read: megabytes a second of CPU, best of five, on ordinary text without secrets, on the text
// of files named on the command line, and on text full of secrets. Bytes are counted as characters.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readCases } from './cases.mjs';
import { loadRedact } from './load.mjs';

const { findSecrets } = await loadRedact();
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

const files = process.argv.slice(2);
measure('prose: ARCHITECTURE.md, repeated', repeat(read('ARCHITECTURE.md')));
measure('code: src/core/registry.ts, repeated', repeat(read('src/core/registry.ts')));
measure('lock file: package-lock.json, repeated', repeat(read('package-lock.json')));
for (const file of files) measure(file, readFileSync(file, 'utf8'));
const cases = readCases('tune').filter(({ labels }) => labels.length > 0);
measure('nothing but secrets', repeat(cases.map(({ text }) => text).join('\n')));
