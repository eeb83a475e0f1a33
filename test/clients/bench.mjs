// What a client's checks work with: its program in a throw-away home, the server's addresses, a stand-in for its
// model, and one way to turn what happened into a row of the report.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { findFreePort, inTerminal, runChild, startService } from './child.mjs';
import { openFence } from './fence.mjs';
import { forge } from './forged.mjs';
import { layOut } from './laid-out.mjs';
import { mountServers } from './mounted.mjs';
import { findInFolder } from './processes.mjs';
import { openHttpTap, readSent, readWire, tapCommand } from './tap.mjs';

const TRANSPORTS = ['stdio', 'http', 'sse'];
const RUN_MS = 90_000;

class Skip extends Error {}

export async function openBench(
  client,
  { bin, node, server, petstore, mounted, oauth, folder, models, tool, selected = '', expect, report },
) {
  const home = join(folder, client.id);
  const [cwd, tmp] = [join(home, 'work'), join(home, 'tmp')];
  for (const one of [cwd, tmp]) mkdirSync(one, { recursive: true });
  const fence = await openFence();
  const lingered = [];
  const baseEnv = {
    PATH: [dirname(node), process.env.PATH].join(delimiter),
    HOME: home,
    TMPDIR: tmp,
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    ...fence.env,
  };

  /** Runs one of the client's programs, with Node unless it is a binary. */
  async function run(args, { program = client.bin, env, terminal = false, ...options } = {}) {
    const command = [...(client.native ? [] : [node]), bin(program), ...args];
    const [first, ...rest] = terminal ? inTerminal(command) : command;
    const end = await runChild(first, rest, { cwd, env: { ...baseEnv, ...env }, timeoutMs: RUN_MS, ...options });
    lingered.push(...end.lingered);
    return end;
  }

  async function check(transport, name, body) {
    if (!name.startsWith(selected)) return;
    const row = { client: client.id, transport, check: name, outcome: 'ok', evidence: '' };
    try {
      if (TRANSPORTS.includes(transport) && !server[transport])
        throw new Skip('no address for this transport was given');
      row.evidence = await body(row);
    } catch (error) {
      row.outcome = error instanceof Skip ? 'SKIP' : 'FAIL';
      row.evidence = error.message;
    }
    report(row);
  }

  /**
   * A real tool call, through a tap: `body` gets the server's address and returns the words in which the client shows
   * the tool's answer. It counts only if the call is on the wire, did not fail there, and spoke `revision` if given;
   * with `sees`, only if a text that the model was sent matches it; with `wire`, only if a message from the server does.
   */
  async function checkCall(transport, { name = 'call', method, model, ...wanted }, body) {
    const { revision, sees, wire: said, command = server.stdio } = wanted;
    await check(transport, name, async (row) => {
      const log = join(folder, `${client.id}.${transport}.${name.replaceAll(/\W+/g, '-')}.wire`);
      const tap = transport === 'stdio' ? undefined : await openHttpTap(server[transport], log);
      const address = tap ? { url: tap.url } : { command: tapCommand(command, log) };
      const service = model && (await openModel(model, `${log}.model`));
      try {
        const shown = await body(address, service?.url);
        if (sees && !readSent(`${log}.model`).some((text) => sees.test(text)))
          throw new Error(`the model was not sent ${sees}, but: ${shown}`);
        const wire = readWire(log, method);
        if (!wire.called) throw new Error(`no ${method ?? 'tools/call'} on the wire, yet it shows: ${shown}`);
        if (said && !wire.lines.some((line) => line.slice(13, 14) === '<' && said.test(line)))
          throw new Error(`the client was not sent ${said}, but: ${shown}`);
        if (wire.failed) throw new Error(`the tool failed: ${shown}`);
        // Clients given an SSE address may try Streamable HTTP there first, and be content with it.
        if (transport === 'sse' && !wire.old) throw new Error(`called, but not over HTTP+SSE: ${shown}`);
        if (revision && wire.revision !== revision) {
          throw new Error(`called in ${wire.revision ?? 'an unknown revision'} instead of ${revision}: ${shown}`);
        }
        return `[${wire.revision}] ${shown}`;
      } catch (error) {
        row.wire = readWire(log).lines;
        throw error;
      } finally {
        service?.close();
        tap?.close();
      }
    });
  }

  /** A stand-in for the vendor's model that calls the tool matching `pattern`; `log` gets what it is sent. */
  async function openModel({ vendor, pattern, input = {} }, log) {
    const script = join(models, `mock-${vendor}.mjs`);
    if (!existsSync(script)) throw new Skip(`no stand-in for its model: ${script} is absent`);
    const port = await findFreePort();
    const env = { PATH: baseEnv.PATH, PORT: String(port), TOOL: pattern, INPUT: JSON.stringify(input) };
    const service = await startService(node, [script], { cwd: folder, env, port });
    const tap = await openHttpTap(`http://127.0.0.1:${port}/`, log);
    return {
      url: tap.url.replace(/\/$/, ''),
      close() {
        tap.close();
        service.close();
      },
    };
  }

  /** The calls to make: over stdio, where the project is the client's folder, also those whose text the model has to see. */
  function callsOver(transport) {
    const plain = { name: 'call', tool, input: {}, expect };
    return transport === 'stdio' && server.entry ? [plain, ...laidOut] : [plain];
  }

  /** The last row: everything the client started has to be gone soon after it, the stdio server above all. */
  async function close() {
    await check('-', 'nothing left behind', () => {
      const escaped = findInFolder(home);
      if (!escaped) throw new Skip('needs /proc');
      for (const { pid } of escaped) process.kill(pid, 'SIGKILL');
      const left = [...lingered, ...escaped.map((one) => one.command)];
      if (left.length > 0) throw new Error(`still running: ${left.join('; ')}`);
      return fence.refused.size > 0
        ? `refused to reach ${[...fence.refused].join(', ')}`
        : 'no process, no call outside';
    });
    fence.close();
  }

  const writeConfig = (path, value) => {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value, null, 2));
    return file;
  };
  const transports = TRANSPORTS.filter((name) => server[name]);
  const own = { cwd, home, path: baseEnv.PATH };
  const laidOut = server.entry
    ? [
        ...(await layOut(server.entry, own)),
        ...(await forge(server.entry, { ...own, url: petstore.url })),
        ...(await mountServers(server.entry, own, mounted)),
      ]
    : [];
  for (const transport of TRANSPORTS.filter((name) => !server[name])) {
    await check(transport, 'all', () => {
      throw new Skip('no address for this transport was given');
    });
  }
  return {
    server,
    transports,
    tool,
    expect,
    home,
    cwd,
    path: baseEnv.PATH,
    oauth,
    run,
    bin,
    check,
    checkCall,
    callsOver,
    openModel,
    writeConfig,
    close,
  };
}

/** The first match in a program's output, on one line; else an error that shows the end of the output. */
export function findIn(end, pattern) {
  const match = pattern.exec(end.text)?.[0];
  if (match !== undefined && !end.failure) return match.replaceAll(/\s+/g, ' ').trim();
  const tail = end.text.trim().slice(-600).replaceAll(/\s+/g, ' ');
  throw new Error(`${end.failure ?? `exit ${end.code ?? end.signal}, no ${pattern}`}; it said: ${tail}`);
}

/** Like `findIn`, and the program has to have ended well. */
export function findInSuccess(end, pattern) {
  if (end.code !== 0) return findIn({ ...end, failure: end.failure ?? `exit ${end.code ?? end.signal}` }, pattern);
  return findIn(end, pattern);
}

/** One JSON-RPC message on a line; without an id, a notification. */
export function formatMessage(method, id, params) {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
}
