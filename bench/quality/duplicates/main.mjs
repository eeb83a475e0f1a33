// Prints precision and recall of src/graph/duplicate/duplicate.ts on the labelled pairs, per part.
// node bench/quality/duplicates/main.mjs [tune|held] [--failures]      without a part: both. Fails below the bounds.
import { readFileSync } from 'node:fs';
import { loadBundled } from '../../bundle.mjs';

/** What the project promises. */
const bounds = { precision: 0.99, recall: 0.6 };

const asked = process.argv.slice(2);
const parts = ['tune', 'held'].filter((part) => asked.includes(part));
/** @type {{ compareTexts(a: string, b: string): { same: boolean, differences: string[] } }} */
const { compareTexts } = await loadBundled('src/graph/duplicate/duplicate.ts');

for (const part of parts.length > 0 ? parts : ['tune', 'held']) reportPart(part);

/** @param {string} part */
function reportPart(part) {
  const pairs = readPairs(part);
  let [right, wrong, missed] = [0, 0, 0];
  for (const { same, a, b } of pairs) {
    const found = compareTexts(a, b);
    const told = asked.includes('--failures') && found.same !== same;
    if (told) console.log(`${same ? 'missed' : 'WRONG'}  ${a} | ${b}   ${found.differences.join(' ')}`);
    if (found.same) same ? right++ : wrong++;
    else if (same) missed++;
  }
  const precision = right / (right + wrong);
  const recall = right / (right + missed);
  if (precision < bounds.precision || recall < bounds.recall) process.exitCode = 1;
  const percent = (/** @type {number} */ share) => `${(share * 100).toFixed(1)} %`;
  console.log(
    `${part}: ${pairs.length} pairs, ${right + missed} the same; ${right + wrong} called so, ${wrong} wrongly; ` +
      `precision ${percent(precision)}, recall ${percent(recall)}`,
  );
}

/** @param {string} part */
function readPairs(part) {
  const lines = readFileSync(new URL(`${part}.txt`, import.meta.url), 'utf8').split('\n');
  return lines
    .filter((line) => /^[=!] /.test(line))
    .map((line) => {
      const [a = '', b = ''] = line.slice(2).split(' | ');
      return { same: line.startsWith('='), a, b };
    });
}
