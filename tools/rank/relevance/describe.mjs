// node tools/rank/relevance/describe.mjs SETS [--crowd TURNS] [--rank fast|deep] [--out FOLDER]
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runBundled } from '../../../bench/bundle.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    crowd: { type: 'string', default: '0' },
    rank: { type: 'string', default: 'deep' },
    out: { type: 'string', default: '.rank' },
  },
});
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm';
process.env.LORE_RANK = values.rank;
const crowd = Number(values.crowd);
await runBundled('tools/rank/relevance/describe.ts', { sets: positionals, out: values.out, crowd });
