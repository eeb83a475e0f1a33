// The small clients: mcp-remote, which turns an address into a stdio server, mcporter, a client for the shell, and
// OpenCode's list of servers.
import { findIn, findInSuccess, formatMessage } from './bench.mjs';

export const mcpRemote = {
  id: 'mcp-remote',
  package: 'mcp-remote',
  version: '0.15.1',
  bin: 'mcp-remote',
  async check(bench) {
    for (const transport of bench.transports.filter((name) => name !== 'stdio')) {
      const flags = ['--allow-http', '--transport', `${transport}-only`];
      await bench.check(transport, 'connect', async () => {
        // It ends with 0 even if the list failed, and at once if its input ends.
        const dialogue = [{ say: '', until: /Exiting OK|Fatal error/ }];
        const end = await bench.run([bench.server[transport], ...flags], { program: 'mcp-remote-client', dialogue });
        findInSuccess(end, new RegExp(`Tools:.*"name": "${bench.tool}"`, 's'));
        return findIn(end, /Connected to remote server using \w+/);
      });
      await bench.checkCall(transport, {}, async ({ url }) => {
        const introduction = {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'check', version: '1' },
        };
        const call = formatMessage('tools/call', 2, { name: bench.tool, arguments: {} });
        const dialogue = [
          { say: formatMessage('initialize', 1, introduction), until: /^\{.*"id":1\b/m },
          { say: formatMessage('notifications/initialized') + call, until: /^\{.*"id":2\b/m },
        ];
        const end = await bench.run([url, ...flags], { dialogue });
        return findIn(end, new RegExp(`^\\{(?=.*"id":2\\b).*${bench.expect}.*`, 'm'));
      });
    }
  },
};

export const mcporter = {
  id: 'mcporter',
  package: 'mcporter',
  version: '0.12.3',
  bin: 'mcporter',
  async check(bench) {
    for (const transport of bench.transports) {
      const config = (name, address) => {
        const [command, ...args] = address;
        const server = transport === 'stdio' ? { command, args } : { url: address, transport };
        return ['--config', bench.writeConfig(`${transport}-${name}.json`, { mcpServers: { x: server } })];
      };
      await bench.check(transport, 'connect', async () => {
        const end = await bench.run([...config('list', bench.server[transport]), 'list', 'x']);
        findInSuccess(end, new RegExp(`function ${bench.tool}\\(`));
        return findInSuccess(end, /\d+ tools? · .*/);
      });
      await bench.checkCall(transport, {}, async ({ command, url }) => {
        const end = await bench.run([...config('call', url ?? command), 'call', `x.${bench.tool}`]);
        return findInSuccess(end, new RegExp(`.*${bench.expect}.*`, 's'));
      });
    }
  },
};

export const opencode = {
  id: 'opencode',
  package: 'opencode-ai',
  version: '1.18.33',
  bin: 'opencode',
  native: true,
  finish: 'postinstall.mjs',
  async check(bench) {
    const servers = bench.transports.map((name) => {
      const address = bench.server[name];
      return [name, name === 'stdio' ? { type: 'local', command: address } : { type: 'remote', url: address }];
    });
    bench.writeConfig('.config/opencode/opencode.json', { mcp: Object.fromEntries(servers) });
    const env = { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' };
    const listed = await bench.run(['mcp', 'list'], { env });
    for (const transport of bench.transports) {
      await bench.check(transport, 'connect', () => findInSuccess(listed, new RegExp(`✓ ${transport} connected`)));
    }
  },
};
