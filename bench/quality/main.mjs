// The quality bench: how well the product's tools find the evidence of public question sets.
// node bench/quality/main.mjs [--set longmemeval,pooled,locomo] [--split tune|report] [--intake turns,sessions,learn]
//   [--rank fast|deep] [--first QUESTIONS] [--keep FOLDER] [--json FILE]
import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runBundled } from '../bundle.mjs';

const sets = ['longmemeval', 'pooled', 'locomo'];
const intakes = ['turns', 'sessions', 'learn'];
const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'longmemeval,locomo' },
    split: { type: 'string', default: 'tune' },
    intake: { type: 'string', default: 'turns' },
    rank: { type: 'string', default: 'fast' },
    first: { type: 'string', default: 'Infinity' },
    keep: { type: 'string' },
    json: { type: 'string' },
  },
});
/** @type {[string, string[]][]} */
const choices = [
  [values.set, sets],
  [values.split, ['tune', 'report']],
  [values.intake, intakes],
  [values.rank, ['fast', 'deep']],
];
if (choices.some(([given, known]) => given.split(',').some((word) => !known.includes(word)))) {
  console.error(
    `Cannot run: --set is of ${sets}; --split is tune or report; --intake is of ${intakes}; --rank is fast or deep`,
  );
  process.exit(2);
}

// Every turn is a durable write: in memory, where the system has a folder for that, it waits for no disk.
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm';

process.env.LORE_RANK = values.rank;

const result = await runBundled('bench/quality/run.ts', {
  split: values.split,
  sets: values.set.split(','),
  intakes: values.intake.split(','),
  first: Number(values.first),
  keep: values.keep,
});
if (values.json) writeFileSync(values.json, `${JSON.stringify(result, undefined, 2)}\n`);
