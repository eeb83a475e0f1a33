// The system bench: the first page of a long journal beside the bare journalctl, memory while all of it is read, and what a
// call costs over stdio besides its work.
// node bench/system/main.mjs [--entries 1000000] [--journal FOLDER] [--rounds 40]     FOLDER is filled if it is not there, and kept.
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { runBundled } from '../bundle.mjs';
import { createEnvironment, startServer, summarize, time } from '../stdio.mjs';

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '1000000' },
    journal: { type: 'string' },
    rounds: { type: 'string', default: '40' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'lore-bench-system-'));
const journal = values.journal ?? join(folder, 'journal');
const rounds = Number(values.rounds);
/** Both sides call journalctl through this, which leads it to the journal of the bench. */
const journalctl = join(folder, 'journalctl');
const env = createEnvironment(folder, { PATH: `${folder}${delimiter}${process.env.PATH}` });

try {
  if (!existsSync(journal)) await runBundled('bench/system/fill.ts', { journal, count: Number(values.entries) });
  const real = execFileSync('sh', ['-c', 'command -v journalctl'], { encoding: 'utf8' }).trim();
  writeFileSync(journalctl, `#!/bin/sh\nexec ${real} --directory '${journal}' "$@"\n`);
  chmodSync(journalctl, 0o755);
  writeFileSync(env.LORE_CONFIG, JSON.stringify({ permissions: { eventlog: 'read' } }));
  const project = join(folder, 'project');
  mkdirSync(project);
  const server = await startServer({ env, cwd: project });
  await measureOverhead(server);
  await measureFirstPage(server);
  await measureMemory(server);
  const ended = once(server.child, 'exit');
  server.child.kill();
  await ended;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {Awaited<ReturnType<typeof startServer>>} server */
async function measureFirstPage({ call }) {
  const first = { logName: 'System', limit: 100 };
  const { structuredContent } = await call('eventlog_query', first);
  const sides = { ours: [], bare: [], deep: [] };
  const deep = { ...first, cursor: structuredContent.next_cursor };
  for (let n = 0; n < rounds; n++) {
    sides.bare.push(await time(() => spawnSync(journalctl, ['-n', '100', '-o', 'json'], { env, maxBuffer: 1 << 26 })));
    sides.ours.push(await time(() => call('eventlog_query', first)));
    sides.deep.push(await time(() => call('eventlog_query', deep)));
  }
  const bare = summarize(sides.bare).p50;
  console.log(`entries at most | ${structuredContent.totalCount}`);
  console.log(`bare journalctl -n 100 -o json | ${bare.toFixed(1)} ms`);
  report('first page of 100', summarize(sides.ours).p50, 2 * bare);
  console.log(`the page after it, by cursor | ${summarize(sides.deep).p50.toFixed(1)} ms`);
}

/** @param {Awaited<ReturnType<typeof startServer>>} server */
async function measureMemory({ call, measureMemory }) {
  const before = measureMemory();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, measureMemory());
  }, 20);
  const searched = await time(() =>
    call('eventlog_query', { logName: 'System', text: 'served in 299 ms for client 999', limit: 5 }),
  );
  const rare = await time(() => call('eventlog_query', { logName: 'System', text: 'is never said' }));
  const far = await time(() => call('eventlog_query', { logName: 'System', offset: 100_000, limit: 10 }));
  clearInterval(timer);
  console.log(`search, common | ${searched.toFixed(0)} ms`);
  console.log(`search, through all | ${rare.toFixed(0)} ms`);
  console.log(`offset 100,000 | ${far.toFixed(0)} ms`);
  console.log(`memory of the server | ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most`);
}

/** @param {Awaited<ReturnType<typeof startServer>>} server */
async function measureOverhead({ send }) {
  const requests = {
    ping: () => send('ping', {}),
    list: () => send('tools/list', {}),
    invalid: () => send('tools/call', { name: 'recall', arguments: { query: 'x', limit: 'invalid' } }),
    call: () => send('tools/call', { name: 'status', arguments: {} }),
  };
  /** @type {Record<string, number[]>} */
  const times = { ping: [], list: [], invalid: [], call: [] };
  for (let n = 0; n < 500; n++) {
    for (const [name, request] of Object.entries(requests)) times[name].push(await time(request));
  }
  const p50 = Object.fromEntries(Object.entries(times).map(([name, list]) => [name, summarize(list.slice(100)).p50]));
  console.log(`ping, there and back | ${p50.ping.toFixed(3)} ms`);
  report('tool discovery', p50.list, 10);
  report('validation, besides the ping', p50.invalid - p50.ping, 1);
  report('dispatch of status, its work included, besides the ping', p50.call - p50.ping, 1);
}

/** @param {string} what @param {number} ms @param {number} bound */
function report(what, ms, bound) {
  console.log(`${what} | ${ms.toFixed(3)} ms | bound ${bound.toFixed(1)} | ${ms <= bound ? 'holds' : 'BROKEN'}`);
}
