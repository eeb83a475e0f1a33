// Prints precision and recall of src/core/secret/redact.ts on the labelled set, per part and per rule.
// node bench/quality/redaction/main.mjs [tune|held|fresh|last] [--failures]      without a part: all. Fails below the bounds.
import { readCases } from './cases.mjs';
import { judgeCase } from './judge.mjs';
import { loadRedact } from './load.mjs';

/** @typedef {{ hit: number, missed: number, named: number, right: number, wrong: number }} Tally */

/** What the project promises, for either part. */
const bounds = { recall: 0.95, precision: 0.98 };

const asked = process.argv.slice(2);
const showFailures = asked.includes('--failures');
const { findSecrets, redact } = await loadRedact();

const parts = /** @type {const} */ (['tune', 'held', 'fresh', 'last']);
for (const part of parts) {
  if (asked.includes(part) || !parts.some((one) => asked.includes(one))) reportPart(part);
}

/** @param {'tune' | 'held' | 'fresh' | 'last'} part */
function reportPart(part) {
  const cases = readCases(part);
  /** @type {Map<string, Tally>} */
  const rules = new Map();
  /** @type {Map<string, Tally>} */
  const groups = new Map();
  const total = emptyTally();
  let plain = 0;
  let plainTouched = 0;
  for (const item of cases) {
    const found = findSecrets(item.text);
    const { labels, spans } = judgeCase(item, found);
    const group = tallyOf(groups, item.group);
    if (item.labels.length === 0) {
      plain++;
      if (found.length > 0) plainTouched++;
    }
    for (const { label, hit, named } of labels) {
      const tally = tallyOf(rules, label.rule);
      for (const each of [tally, group, total]) {
        each[hit ? 'hit' : 'missed']++;
        if (named) each.named++;
      }
      if (!hit && showFailures) console.log(`missed ${label.rule}  ${item.origin}\n  ${item.text}`);
    }
    for (const { span, right } of spans) {
      for (const each of [tallyOf(rules, span.rule), group, total]) each[right ? 'right' : 'wrong']++;
      if (!right && showFailures) console.log(`wrong ${span.rule}  ${item.origin}\n  ${redact(item.text).text}`);
    }
    const once = redact(item.text).text;
    if (redact(once).text !== once) console.log(`not idempotent: ${item.origin}\n  ${once}\n  ${redact(once).text}`);
  }
  for (const { hit, missed, right, wrong } of groups.values()) {
    if (hit < bounds.recall * (hit + missed) || right < bounds.precision * (right + wrong)) process.exitCode = 1;
  }
  console.log(`\n${part}: ${total.hit + total.missed} secrets, ${plain} texts without one (${plainTouched} touched)`);
  printRow('rule', 'secrets', 'recall', 'found', 'precision', 'named');
  printRow('all', ...columnsOf(total));
  for (const [group, tally] of groups) printRow(`group ${group}`, ...columnsOf(tally));
  for (const [rule, tally] of [...rules].sort(([a], [b]) => (a < b ? -1 : 1))) printRow(rule, ...columnsOf(tally));
}

/** @returns {Tally} */
function emptyTally() {
  return { hit: 0, missed: 0, named: 0, right: 0, wrong: 0 };
}

/** @param {Map<string, Tally>} rules @param {string} rule */
function tallyOf(rules, rule) {
  const tally = rules.get(rule) ?? emptyTally();
  rules.set(rule, tally);
  return tally;
}

/** @param {Tally} tally */
function columnsOf({ hit, missed, named, right, wrong }) {
  const share = (/** @type {number} */ part, /** @type {number} */ whole) =>
    whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`;
  return [
    `${hit + missed}`,
    share(hit, hit + missed),
    `${right + wrong}`,
    share(right, right + wrong),
    share(named, hit),
  ];
}

/** @param {string} name @param {string[]} columns */
function printRow(name, ...columns) {
  console.log(name.padEnd(22) + columns.map((column) => column.padStart(10)).join(''));
}
