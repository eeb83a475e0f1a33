// The store bench: insert, search and walk at growing sizes, on both databases, beside the same done with the bare engine.
// node bench/store/main.mjs [--nodes 10000,100000,1000000] [--engine sqlite,postgres] [--json FILE]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runBundled } from '../bundle.mjs';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '10000,100000,1000000' },
    engine: { type: 'string', default: 'sqlite,postgres' },
    json: { type: 'string' },
  },
});
const sizes = values.nodes.split(',').map(Number);
const engines = values.engine.split(',');
if (sizes.some((size) => !(size >= 1000)) || engines.some((engine) => !['sqlite', 'postgres'].includes(engine))) {
  console.error('Cannot run: --nodes takes numbers from 1000 on; --engine is of sqlite, postgres');
  process.exit(2);
}
const result = await runBundled('bench/store/run.ts', { sizes, engines });
if (values.json) writeFileSync(values.json, `${JSON.stringify(result, undefined, 2)}\n`);
