// The protocol's own Inspector, in its command-line form: the strictest reader of our schemas, and the one client that
// can be told which era to speak.
import { findInSuccess } from './bench.mjs';
import { findFreePort } from './child.mjs';
import { answers, question, resource } from './mounted.mjs';
import { checkOAuth, tool as stores, withBrowser } from './oauth.mjs';

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
    if (!bench.server.entry) return;
    for (const era of ['legacy', 'modern']) await checkMounted(bench, era);
    await checkQuestion(bench);
    for (const era of ['legacy', 'modern']) await checkLogin(bench, era);
  },
};

/** It asks for further scopes of servers whose entry says something about OAuth; for others it only repeats the login. */
async function checkLogin(bench, era) {
  const { url } = bench.oauth;
  const port = await findFreePort();
  const env = withBrowser(bench, { MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' });
  const oauth = { scopes: 'lore:read' };
  const servers = { mcpServers: { x: { type: 'streamable-http', url }, y: { type: 'streamable-http', url, oauth } } };
  const config = bench.writeConfig('oauth.json', servers);
  const run = (server, name, input, flags = [], options = {}) => {
    const chosen = ['--cli', '--config', config, '--server', server, '--protocol-era', era, '--format', 'json', '-q'];
    const callback = ['--callback-url', `http://127.0.0.1:${port}/oauth/callback`];
    const call = ['--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(input)];
    return bench.run([...chosen, ...callback, ...call, ...flags], { env, ...options });
  };
  const stored = /"content":.*Stored as.*/;
  let server;
  await checkOAuth(bench, `inspector-${era}`, {
    async login() {
      // The third login is the one that allows too little.
      server = bench.oauth.issuer.lab.granted === undefined ? 'x' : 'y';
      findInSuccess(await run(server, 'status', {}, ['--relogin']), /"content":.*/);
    },
    call: async (content) => findInSuccess(await run(server, stores, { content }), stored),
    async widen(content) {
      const dialogue = [
        { say: '', until: /needs additional scope.*\[y\/N\]/s },
        { say: 'y\n', until: /"result"|"error"/ },
      ];
      return findInSuccess(await run(server, stores, { content }, [], { dialogue }), stored);
    },
  });
}

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

/** This client shows whole results, so that they are looked for there and not in what a model was sent. */
async function checkMounted(bench, era) {
  const flags = ['--protocol-era', era, '--format', 'json', '-q', '--method'];
  const revision = REVISIONS[era];
  // An entity can be created once. Progress is not expected: this client asks for none.
  const isWanted = ({ name, tool }) => name.startsWith('mounted') && (era === 'legacy' || tool === 'tool_read');
  for (const { name, tool, input, expect } of bench.callsOver('stdio').filter(isWanted)) {
    await bench.checkCall('stdio', { name: `${name} ${era}`, revision }, async ({ command }) => {
      const call = ['tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(input)];
      return findInSuccess(
        await bench.run(['--cli', ...command, ...flags, ...call]),
        new RegExp(`"content":.*${expect}.*`),
      );
    });
  }
  const wanted = { name: `mounted: resource ${era}`, method: 'resources/read', revision };
  await bench.checkCall('stdio', wanted, async ({ command }) => {
    const end = await bench.run(['--cli', ...command, ...flags, 'resources/read', '--uri', resource.uri]);
    return findInSuccess(end, new RegExp(`"contents":.*${resource.expect}.*`));
  });
}

/** A call that asks its user stays open in the daemon of `mcpdo`, which a second command answers. */
async function checkQuestion(bench) {
  const { name, tool, input, expect } = question;
  await bench.checkCall('stdio', { name }, async ({ command: [command, ...args] }) => {
    const config = bench.writeConfig('inspector.json', { mcpServers: { x: { command, args } } });
    const run = (...words) => bench.run([...words, '--format', 'json'], { program: 'mcpdo' });
    try {
      findInSuccess(await run('connect', 'x', '--config', config), /x/);
      const pairs = Object.entries(input).map(([key, value]) => `${key}:=${JSON.stringify(value)}`);
      const [id] = /(?<="elicitationId": ?")[^"]+/.exec((await run('@x', 'tools/call', tool, ...pairs)).text) ?? [];
      if (id === undefined) throw new Error('the question did not arrive');
      const given = Object.entries(answers).map(([key, value]) => `${key}:=${JSON.stringify(value)}`);
      return findInSuccess(await run('elicitation/respond', id, ...given), new RegExp(`"content":[^]*${expect}.*`));
    } finally {
      await run('daemon', 'stop');
    }
  });
}
