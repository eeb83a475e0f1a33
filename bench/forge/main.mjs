// The forge on public API documents (APIs.guru, CC0; a git directory in ../.mirror); README.md describes the modes.
// node bench/forge/main.mjs mount|compare|prune [--list FILE] [--mirror FOLDER] [--keep FOLDER] [--skip COUNT] [--first COUNT] [--only TEXT]
// node bench/forge/main.mjs graphql --schema FILE
// node bench/forge/main.mjs export|ready --document FILE, or find [--set restbench|golden|bfcl] --document FILE --questions FILE
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root, runBundled } from '../bundle.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'string', default: join(root, '../shared/next/apis-guru-features.json') },
    mirror: { type: 'string', default: join(root, '../.mirror/APIs-guru+openapi-directory/repo') },
    keep: { type: 'string', default: join(root, '.cache/forge') },
    skip: { type: 'string', default: '0' },
    first: { type: 'string', default: 'Infinity' },
    schema: { type: 'string', default: '' },
    document: { type: 'string', default: '' },
    set: { type: 'string', default: 'restbench' },
    questions: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
  },
});
const [mode = 'mount'] = positionals;
const inputs = {
  mount: ['list', 'mirror'],
  prune: ['list', 'mirror'],
  compare: ['list', 'mirror'],
  graphql: ['schema'],
  ready: ['document'],
  find: ['document', 'questions'],
  export: ['document'],
};
const missing = inputs[mode]?.filter((name) => !existsSync(values[name]));
if (!missing || missing.length > 0) {
  console.error(`Cannot run: expected ${Object.keys(inputs).join(', ')}, and files: ${(missing ?? []).join(', ')}`);
  process.exit(2);
}
await runBundled(`bench/forge/${mode}.ts`, { ...values, skip: Number(values.skip), first: Number(values.first) });
