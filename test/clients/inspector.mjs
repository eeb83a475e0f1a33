// The protocol's own Inspector, in its command-line form: the strictest reader of our schemas, and the one client that
// can be told which era to speak.
import { findInSuccess } from './bench.mjs';

const REVISIONS = { modern: '2026-07-28', legacy: undefined };

export const inspector = {
  id: 'inspector',
  package: '@modelcontextprotocol/inspector',
  version: '2.12.0',
  bin: 'mcp-inspector',
  async check(bench) {
    for (const transport of bench.transports) {
      // The old transport has no modern era.
      const eras = transport === 'sse' ? ['legacy'] : ['legacy', 'modern'];
      for (const era of eras) await checkEra(bench, transport, era);
    }
  },
};

async function checkEra(bench, transport, era) {
  const address = bench.server[transport];
  const direct = transport === 'stdio' ? address : [address, '--transport', transport];
  const flags = ['--protocol-era', era];
  await bench.check(transport, `tools/list ${era}`, async () => {
    const end = await bench.run(['--cli', ...direct, ...flags, '--format', 'json', '-q', '--method', 'tools/list']);
    return findInSuccess(end, new RegExp(`"name": ?"${bench.tool}".*`));
  });
  await bench.check(transport, `tools/list ${era} --strict`, async () => {
    const args = ['--cli', ...direct, ...flags, '--strict', '--format', 'json', '--method', 'tools/list'];
    const end = await bench.run(args);
    const findings = /"schemaFindings":.*/.exec(end.stdout)?.[0];
    findInSuccess(end, new RegExp(`"name": ?"${bench.tool}"`));
    return findings ? `advice only: ${findings}` : 'no finding';
  });
  const call = ['--method', 'tools/call', '--tool-name', bench.tool];
  const options = { name: `call ${era}`, revision: REVISIONS[era] };
  await bench.checkCall(transport, options, async ({ command, url }) => {
    const tapped = command ?? [url, '--transport', transport];
    const end = await bench.run(['--cli', ...tapped, ...flags, '--format', 'json', '-q', ...call]);
    return findInSuccess(end, new RegExp(`"content":.*${bench.expect}.*`));
  });
  await bench.check(transport, `load ${era}`, async () => {
    const load = ['--load', '--load-requests', '300', '--load-concurrency', '20'];
    const end = await bench.run(['--cli', ...direct, ...flags, '--format', 'json', ...call, ...load]);
    findInSuccess(end, /"ok":300,"toolErrors":0,"errors":0\b/);
    return `300 of 300 ok, ${findInSuccess(end, /"throughput":.*\}/)}`;
  });
}
