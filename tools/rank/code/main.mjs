// Fits the weights of search_code's ranking to commits of public repositories and to the tuning splits of the bench (README.md).
// node tools/rank/code/main.mjs [--mirrors FOLDER] [--out FOLDER] [--keep FOLDER] [--gather] [--write]
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root, runBundled } from '../../../bench/bundle.mjs';

const { values } = parseArgs({
  options: {
    mirrors: { type: 'string', default: join(root, '../.mirror') },
    out: { type: 'string', default: join(root, '.rank/code') },
    keep: { type: 'string', default: join(root, '.rank/localise') },
    gather: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
await runBundled('tools/rank/code/run.ts', values);
