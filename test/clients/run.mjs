// `npm run test:clients`: real agent programs, installed from npm at pinned versions, connect to the server and call a
// tool. Not in the gate, because the clients weigh 2 GB. Everything stays on loopback and in throw-away folders.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openBench } from './bench.mjs';
import { mcporter, mcpRemote, opencode } from './bridges.mjs';
import { claudeLegacy, claudeModern } from './claude.mjs';
import { codex } from './codex.mjs';
import { gemini, qwen } from './gemini.mjs';
import { inspector } from './inspector.mjs';
import { getDefaultCache, installClient, installNode } from './install.mjs';
import { openMounted } from './mounted.mjs';
import { openOAuth } from './oauth.mjs';
import { openPetstore } from './petstore.mjs';
import { formatRow, formatTable, formatWire } from './report.mjs';
import { openServer } from './server.mjs';

const CLIENTS = [claudeModern, claudeLegacy, inspector, codex, gemini, qwen, mcpRemote, mcporter, opencode];
const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const EXPECTED = 'lorekeeper';
const HELP = `Usage: npm run test:clients -- [options]

  --only NAMES            clients whose name starts with one of these, e.g. claude,codex
  --check TEXT            only checks whose name starts with this, e.g. mounted
  --server-command CMD    another server over stdio
  --server-url URL        another server over HTTP, SSE at URL/sse
  --tool NAME             the tool to call without arguments (status)
  --expect TEXT           what its answer holds, a regular expression (${EXPECTED})
  --cache DIR             where clients are kept between runs (${getDefaultCache()})
  --keep                  keep homes and wire logs even if all is well

Clients: ${CLIENTS.map((client) => client.id).join(', ')}
Exit status: 0 all well, 1 a check failed, 2 nothing could be checked.`;

function readOptions() {
  const text = { type: 'string' };
  const flag = { type: 'boolean', default: false };
  const { values } = parseArgs({
    options: {
      only: text,
      check: text,
      'server-command': text,
      'server-url': text,
      tool: { ...text, default: 'status' },
      expect: { ...text, default: EXPECTED },
      cache: { ...text, default: getDefaultCache() },
      keep: flag,
      help: flag,
    },
  });
  return values;
}

function selectClients(only) {
  if (only === undefined) return CLIENTS;
  const names = only.split(',').filter(Boolean);
  const unknown = names.filter((name) => !CLIENTS.some((client) => client.id.startsWith(name)));
  if (unknown.length > 0) throw new Error(`Cannot select "${unknown.join(', ')}": no such client`);
  return CLIENTS.filter((client) => names.some((name) => client.id.startsWith(name)));
}

async function checkClient(client, context) {
  const { report } = context;
  try {
    console.error(`${client.id}: ${client.package}@${client.version}`);
    const bin = await installClient(context.cache, client, context.node);
    const bench = await openBench(client, { ...context, bin });
    try {
      await client.check(bench);
    } finally {
      await bench.close();
    }
  } catch (error) {
    report({ client: client.id, transport: '-', check: 'start', outcome: 'FAIL', evidence: error.message });
  }
}

async function checkClients(clients, options, folder) {
  const { cache, tool, check, expect, 'server-command': command, 'server-url': url } = options;
  const rows = [];
  const report = (row) => {
    rows.push(row);
    console.error(`  ${formatRow(row)}`);
  };
  const server = await openServer({ root: ROOT, folder, command, url });
  const petstore = await openPetstore();
  let mounted;
  let oauth;
  try {
    const node = await installNode(cache);
    mounted = server.entry && (await openMounted(cache, node));
    oauth = server.entry && (await openOAuth({ root: ROOT, folder, entry: server.entry }));
    const models = join(ROOT, '..', 'shared', 'clients');
    const context = {
      cache,
      node,
      server,
      petstore,
      mounted,
      oauth,
      folder,
      models,
      tool,
      selected: check,
      expect: `(?:${expect})`,
      report,
    };
    for (const client of clients) await checkClient(client, context);
  } finally {
    oauth?.close();
    mounted?.close();
    petstore.close();
    server.close();
  }
  return rows;
}

async function main() {
  const options = readOptions();
  if (options.help) return console.log(HELP);
  const clients = selectClients(options.only);
  // Not named after the product: a path in an error message must not pass for the tool's answer.
  const folder = mkdtempSync(join(tmpdir(), 'lore-run-'));
  let { keep } = options;
  process.on('exit', () => {
    if (!keep) rmSync(folder, { recursive: true, force: true });
  });
  const rows = await checkClients(clients, options, folder);
  console.log(formatTable(rows, clients));
  const failed = rows.filter((row) => row.outcome === 'FAIL');
  for (const row of failed) console.log(formatWire(row));
  keep ||= failed.length > 0;
  if (keep) console.log(`\nHomes and wire logs: ${folder}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

main().catch((error) => {
  console.error(error.message);
  process.exit(2);
});
