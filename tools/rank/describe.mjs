// node tools/rank/describe.mjs SETS [--databases FOLDER] [--out FOLDER] [--vocabulary FILE]
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runBundled } from '../../bench/bundle.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    databases: { type: 'string', default: '.rank/databases' },
    out: { type: 'string', default: '.rank' },
    vocabulary: { type: 'string' },
  },
});
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm';
await runBundled('tools/rank/describe.ts', { sets: positionals, ...values });
