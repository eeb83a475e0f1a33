// Whether `enhance` and `recall` know what helps a prompt, and when nothing does.
// node bench/quality/relevance/main.mjs [tune|held|small-tune|small-held] [--crowd TURNS] [--rank fast|deep] [--failures]
// Without a part: all of them.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runBundled } from '../../bundle.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    crowd: { type: 'string', default: '0' },
    rank: { type: 'string', default: 'fast' },
    failures: { type: 'boolean', default: false },
  },
});
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm';
process.env.LORE_RANK = values.rank;

for (const part of positionals.length > 0 ? positionals : ['tune', 'held', 'small-tune', 'small-held']) {
  const options = { part, crowd: Number(values.crowd), showFailures: values.failures };
  await runBundled('bench/quality/relevance/run.ts', options);
}
