// Prints in how many of the turns that answer a LoCoMo question `learn` keeps a sentence. It says nothing of precision.
// node bench/quality/learn/evidence.mjs [tune|report]      skipped where ../shared/data is absent.
import { existsSync, readFileSync } from 'node:fs';
import { loadLearning } from './load.mjs';

const split = process.argv[2] ?? 'tune';
const file = new URL(`../../../../shared/data/locomo/${split}.json`, import.meta.url);
if (existsSync(file)) measure(JSON.parse(readFileSync(file, 'utf8')), (await loadLearning()).extractFacts);
else console.log(`skipped: there is no ${file.pathname}`);

/** @param {any[]} samples @param {(source: any) => { facts: unknown[] }} extractFacts */
function measure(samples, extractFacts) {
  let evidence = 0;
  let found = 0;
  let turns = 0;
  let kept = 0;
  for (const { conversation, qa } of samples) {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const [name, session] of Object.entries(conversation)) {
      if (!/^session_\d+$/.test(name)) continue;
      for (const { dia_id: id, speaker, text } of /** @type {any[]} */ (session)) {
        const turn = { role: 'other', speaker, text };
        counts.set(id, extractFacts({ form: 'labels', turns: [turn] }).facts.length);
      }
    }
    turns += counts.size;
    for (const count of counts.values()) kept += count;
    const asked = qa.filter((/** @type {any} */ { category }) => category !== 5);
    const ids = new Set(asked.flatMap((/** @type {any} */ item) => item.evidence.join(' ').split(/[; ]+/)));
    for (const id of ids) {
      const count = counts.get(/** @type {string} */ (id));
      if (count === undefined) continue;
      evidence++;
      if (count > 0) found++;
    }
  }
  const share = ((100 * found) / evidence).toFixed(1);
  console.log(`${split}: a sentence kept in ${found} of ${evidence} turns with evidence (${share} %)`);
  console.log(`${kept} sentences kept of ${turns} turns`);
}
