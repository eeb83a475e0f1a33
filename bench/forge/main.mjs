// The forge on public API documents (APIs.guru, CC0; a git directory in ../.mirror). The list names the documents to use.
// node bench/forge/main.mjs mount     every document: operations, names, schemas that compile, time
// node bench/forge/main.mjs compare   every operation: our request against swagger-client's, and read back by openapi-enforcer
//   [--list FILE] [--mirror FOLDER] [--keep FOLDER] [--skip DOCUMENTS] [--first DOCUMENTS] [--only TEXT]
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
    only: { type: 'string', default: '' },
  },
});
const [mode = 'mount'] = positionals;
if (!['mount', 'compare'].includes(mode) || !existsSync(values.list) || !existsSync(values.mirror)) {
  console.error('Cannot run: expected mount or compare, and the list and the mirror of the documents');
  process.exit(2);
}
await runBundled(`bench/forge/${mode}.ts`, { ...values, skip: Number(values.skip), first: Number(values.first) });
