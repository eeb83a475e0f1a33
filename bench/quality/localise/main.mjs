// From an issue's text to the files that have to change: the ranking of search_code on public issues, with what each signal
// adds. Repositories are read from mirrors (`owner+name/repo`, git directories with their history), without a checkout.
// node bench/quality/localise/main.mjs [--split tune|report|tune-multilingual] [--first ISSUES] [--keep FOLDER]
//   [--data FOLDER] [--mirrors FOLDER]
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root, runBundled } from '../../bundle.mjs';

const { values } = parseArgs({
  options: {
    split: { type: 'string', default: 'tune' },
    first: { type: 'string', default: 'Infinity' },
    keep: { type: 'string' },
    data: { type: 'string', default: join(root, '../shared/data') },
    mirrors: { type: 'string', default: join(root, '../.mirror') },
  },
});
if (!['tune', 'report', 'tune-multilingual'].includes(values.split)) {
  console.error('Cannot run: --split is tune, report or tune-multilingual');
  process.exit(2);
}

await runBundled('bench/quality/localise/run.ts', { ...values, first: Number(values.first) });
