// A team's servers under load: several servers with tenants in one PostgreSQL database, behind a round-robin balancer.
// node bench/team/main.mjs [--servers 4] [--tenants 3] [--writers 16] [--writes 30] [--queries 10000] [--probes 40]; needs a build.
// --servers 0 measures only what the notifications cost.
import { parseArgs } from 'node:util';
import { runBundled } from '../bundle.mjs';

const { values } = parseArgs({
  options: {
    servers: { type: 'string', default: '4' },
    tenants: { type: 'string', default: '3' },
    writers: { type: 'string', default: '16' },
    writes: { type: 'string', default: '30' },
    queries: { type: 'string', default: '10000' },
    probes: { type: 'string', default: '40' },
  },
});
const numbers = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
console.log(JSON.stringify(await runBundled('bench/team/main.ts', numbers), undefined, 2));
