// The speed bench: Lorekeeper beside a bare server, the official SDK v2 and fastmcp, all in one run, as ratios.
// `npm run bench:speed -- [--quick] [--only cold,first,…] [--json FILE]`; installs nothing.
import { existsSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

if (!existsSync(fileURLToPath(new URL('../node_modules/fastmcp/package.json', import.meta.url)))) {
  console.error('The servers to compare with are not installed: run npm --prefix bench ci first');
  process.exit(2);
}

const { bundleOurs, bundleSdk } = await import('./build.mjs');
const { checkBounds, formatChecks } = await import('./bounds.mjs');
const { cold } = await import('./measures/cold.mjs');
const { first } = await import('./measures/first.mjs');
const { http, httpBig, httpList } = await import('./measures/http.mjs');
const { sessions } = await import('./measures/sessions.mjs');
const { stdio, stdioBig, stdioList } = await import('./measures/stdio.mjs');
const { formatTable } = await import('./report.mjs');
const { verifyServers } = await import('./verify.mjs');

const measures = [cold, first, stdio, stdioList, stdioBig, http, httpList, httpBig, sessions];

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const wanted = values.only?.split(',') ?? measures.map(({ id }) => id);
const unknown = wanted.filter((id) => !measures.some((measure) => measure.id === id));
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`Unknown measure: ${unknown.join(', ')}`);
  console.log('bench/speed/main.mjs [--quick] [--only LIST] [--json FILE]\n\nMeasures:');
  for (const { id, about } of measures) console.log(`  ${id.padEnd(12)}${about}`);
  process.exit(values.help ? 0 : 2);
}

const progress = (/** @type {string} */ text) => console.error(`… ${text}`);
// The load before the start tells a reader whether the machine had other things to do.
const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, load: loadavg()[0] };
console.log(
  `Node ${machine.node}, ${machine.cores} cores of ${machine.cpu}, load ${machine.load.toFixed(1)} before the start` +
    `${values.quick ? ', quick run' : ''}\n`,
);

progress('bundling');
const ours = await bundleOurs();
if (!ours) console.log('Lorekeeper is left out: its bench entry or src/app.ts does not exist yet.\n');
const context = { ours, bundledSdk: await bundleSdk(), quick: values.quick, progress };
progress('checking that every server answers correctly');
await verifyServers(ours);

/** @type {import('./statistics.mjs').Table[]} */
const tables = [];
for (const measure of measures.filter(({ id }) => wanted.includes(id))) {
  progress(measure.about);
  for (const table of await measure.run(context)) {
    tables.push(table);
    console.log(formatTable(table));
  }
}

const checks = checkBounds(tables);
console.log(formatChecks(checks));
if (values.json) {
  const record = { taken: new Date().toISOString(), machine, quick: values.quick, tables, bounds: checks };
  writeFileSync(values.json, `${JSON.stringify(record, null, 2)}\n`);
}
process.exit(0);
