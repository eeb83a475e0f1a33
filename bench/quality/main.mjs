// The quality bench: how well the product's own graph finds the evidence of public question sets.
// node bench/quality/main.mjs [--set longmemeval,pooled,locomo] [--split tune|report] [--only text,vector,fused]
//   [--json FILE]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runBundled } from '../bundle.mjs';

const sets = ['longmemeval', 'pooled', 'locomo'];
const { values } = parseArgs({
  options: {
    set: { type: 'string', default: sets.join(',') },
    split: { type: 'string', default: 'tune' },
    only: { type: 'string' },
    json: { type: 'string' },
  },
});
const choices = [
  [values.set, sets],
  [values.split, ['tune', 'report']],
  [values.only ?? '', ['', 'text', 'vector', 'fused']],
];
if (choices.some(([given, known]) => given.split(',').some((word) => !known.includes(word)))) {
  console.error(`Cannot run: --set is of ${sets.join(', ')}; --split is tune or report; --only of text, vector, fused`);
  process.exit(2);
}

const result = await runBundled('bench/quality/run.ts', {
  split: values.split,
  sets: values.set.split(','),
  only: values.only?.split(','),
});
if (values.json) writeFileSync(values.json, `${JSON.stringify(result, undefined, 2)}\n`);
