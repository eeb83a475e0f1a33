// Prints how well `learn` understands text, on the labelled set: what it keeps, which changes it suggests, which kind it is.
// node bench/quality/learn/main.mjs [tune|held] [--failures]      without a part: both. Fails below the bounds.
import { readKinds, readPairs, readTalks } from './cases.mjs';
import { loadLearning } from './load.mjs';

/** What the project promises, for either part. */
const bounds = { keep: [0.9, 0.5], suggest: [0, 0.75], expiring: [0.95, 0] };

const asked = process.argv.slice(2);
const showFailures = asked.includes('--failures');
const { extractFacts, classify, createRelater } = await loadLearning();

for (const part of /** @type {const} */ (['tune', 'held'])) {
  if (asked.includes('tune') !== asked.includes('held') && !asked.includes(part)) continue;
  console.log(`\n${part}`);
  console.log(''.padEnd(34) + ['cases', 'positive', 'precision', 'recall'].map((head) => head.padStart(11)).join(''));
  measureKeeping(part);
  measureSuggesting(part);
  measureKinds(part);
}

/** @param {'tune' | 'held'} part */
function measureKeeping(part) {
  const tally = createTally('sentences kept', bounds.keep);
  let named = 0;
  let kept = 0;
  for (const { text, sentences } of readTalks(part)) {
    /** @type {Map<string, { reason: string }>} */
    const facts = new Map(extractFacts(text).facts.map((/** @type {any} */ fact) => [fact.said, fact]));
    for (const { keep, reason, text: sentence } of sentences) {
      const fact = facts.get(sentence);
      facts.delete(sentence);
      tally.count(keep, fact !== undefined, () => `${reason}  ${sentence}${fact ? `  [${fact.reason}]` : ''}`);
      if (keep && fact !== undefined) {
        kept++;
        if (fact.reason === reason) named++;
        else if (showFailures) console.log(`  named ${fact.reason}, is ${reason}: ${sentence}`);
      }
    }
    // What was kept and is no sentence of the set was cut in the wrong place.
    for (const sentence of facts.keys()) tally.count(false, true, () => `cut  ${sentence}`);
  }
  tally.print();
  console.log('  with the reason of the set'.padEnd(34) + `${named} of ${kept}`.padStart(44));
}

/** @param {'tune' | 'held'} part */
function measureSuggesting(part) {
  const tally = createTally('changes suggested', bounds.suggest);
  for (const { replaces, older, newer } of readPairs(part)) {
    tally.count(replaces, createRelater(newer)(older) !== undefined, () => `${older} => ${newer}`);
  }
  tally.print();
}

/** @param {'tune' | 'held'} part */
function measureKinds(part) {
  const expiring = ['episodic', 'working', 'sensory'];
  const cases = readKinds(part).map((item) => ({ ...item, found: classify(item.text).kind }));
  for (const kind of ['semantic', 'procedural', 'preference', ...expiring]) {
    const tally = createTally(`kind ${kind}`);
    for (const item of cases) tally.count(item.kind === kind, item.found === kind);
    tally.print();
  }
  const tally = createTally('passing kinds', bounds.expiring);
  for (const { kind, text, found } of cases) {
    tally.count(expiring.includes(kind), expiring.includes(found));
    if (kind !== found && showFailures) console.log(`  found ${found}, is ${kind}: ${text}`);
  }
  tally.print();
}

/** @param {string} name @param {number[]} [bound] */
function createTally(name, bound = [0, 0]) {
  let right = 0;
  let wrong = 0;
  let missed = 0;
  let rest = 0;
  return {
    /** @param {boolean} label @param {boolean} found @param {() => string} [tell] */
    count(label, found, tell) {
      if (label && found) right++;
      else if (found) wrong++;
      else if (label) missed++;
      else rest++;
      if (label !== found && tell && showFailures) console.log(`  ${found ? 'wrong' : 'missed'}: ${tell()}`);
    },
    print() {
      const precision = right / Math.max(1, right + wrong);
      const recall = right / Math.max(1, right + missed);
      if (precision < (bound[0] ?? 0) || recall < (bound[1] ?? 0)) process.exitCode = 1;
      const columns = [right + wrong + missed + rest, right + missed, percent(precision), percent(recall)];
      console.log(name.padEnd(34) + columns.map((column) => `${column}`.padStart(11)).join(''));
    },
  };
}

/** @param {number} share */
function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}
