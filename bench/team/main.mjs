// A team's servers under load: several servers with tenants in one PostgreSQL database, behind a round-robin balancer.
// node bench/team/main.mjs [--part load|notify] [--servers 4] [--tenants 3] [--writers 16] [--writes 100] [--queries 10000]
//   [--probes 40] [--rounds 60] [--control]; needs a build. --control compares servers without notifications with the same.
import { parseArgs } from 'node:util';
import { runBundled } from '../bundle.mjs';

const { values } = parseArgs({
  options: {
    part: { type: 'string' },
    servers: { type: 'string', default: '4' },
    tenants: { type: 'string', default: '3' },
    writers: { type: 'string', default: '16' },
    writes: { type: 'string', default: '100' },
    queries: { type: 'string', default: '10000' },
    probes: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '60' },
    control: { type: 'boolean', default: false },
  },
});
const { part, control, ...counts } = values;
const numbers = Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, Number(value)]));
console.log(JSON.stringify(await runBundled('bench/team/main.ts', { part, control, ...numbers }), undefined, 2));
