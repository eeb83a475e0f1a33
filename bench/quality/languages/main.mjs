// Facts and questions in ten languages, and across languages.
// node bench/quality/languages/main.mjs [tune|report] [--clones FOLDER] [--languages de,ja] [--sets answers] [--failures]
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { root, runBundled } from '../../bundle.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    clones: { type: 'string', default: `${root}../.mirror` },
    languages: { type: 'string', default: 'zh,ja,ko,de,fr,es,pt,ru,ar,hi' },
    sets: { type: 'string', default: 'documents,questions,answers' },
    failures: { type: 'boolean', default: false },
  },
});
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm';
if (!existsSync(`${values.clones}/microsoft+IoT-For-Beginners`)) {
  console.log(`Skipped: no clones of the repositories in "${values.clones}" (bench/quality/languages/README.md).`);
} else {
  await runBundled('bench/quality/languages/run.ts', {
    clones: values.clones,
    split: positionals[0] ?? 'tune',
    languages: values.languages.split(','),
    sets: values.sets.split(','),
    showFailures: values.failures,
  });
}
