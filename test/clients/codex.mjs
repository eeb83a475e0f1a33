// Codex: connects through its app server, which needs no model, and calls through `codex exec`. It speaks stdio and
// Streamable HTTP only.
import { dirname } from 'node:path';
import { findIn, findInSuccess, formatMessage } from './bench.mjs';
import { answers, question, resource } from './mounted.mjs';
import { checkOAuth, tool as stores, withBrowser } from './oauth.mjs';

export const codex = {
  id: 'codex',
  package: '@openai/codex',
  version: '0.166.0',
  bin: 'codex',
  async check(bench) {
    for (const transport of bench.transports.filter((name) => name !== 'sse')) {
      const address = bench.server[transport];
      await bench.check(transport, 'connect', () =>
        connect(bench, transport, transport === 'stdio' ? { command: address } : { url: address }),
      );
      for (const { tool, input, expect, ...wanted } of bench.callsOver(transport)) {
        const model = { vendor: 'openai', pattern: `^mcp__x.*${tool}$`, input };
        await bench.checkCall(transport, { ...wanted, model }, async (tapped, base) => {
          const env = writeSettings(bench, `${transport}-${tool}`, tapped, base);
          const end = await bench.run(['exec', '--skip-git-repo-check', 'call it'], { env });
          findInSuccess(end, new RegExp(`mcp: x/${tool} \\(completed\\)`));
          return findInSuccess(end, new RegExp(`TOOL RESULT: .*${expect}.*`));
        });
      }
    }
    if (bench.server.entry) {
      await checkResource(bench);
      await checkQuestion(bench);
      await checkLogin(bench);
    }
  },
};

/** It does not ask for further scopes by itself, neither here nor on its screen; a person does, with an option of the login. */
async function checkLogin(bench) {
  const address = { url: bench.oauth.url };
  const settings = (base) => withBrowser(bench, writeSettings(bench, 'oauth', address, base));
  const login = async (...options) => {
    const env = settings('http://127.0.0.1:9');
    await bench.run(['mcp', 'logout', 'x'], { env });
    findInSuccess(await bench.run(['mcp', 'login', 'x', ...options], { env }), /Successfully logged in/);
  };
  const call = async (content, expect) => {
    const model = { vendor: 'openai', pattern: `^mcp__x.*${stores}$`, input: { content } };
    const service = await bench.openModel(model, `${bench.home}/oauth.model`);
    try {
      const end = await bench.run(['exec', '--skip-git-repo-check', 'call it'], { env: settings(service.url) });
      return findInSuccess(end, new RegExp(`TOOL RESULT: .*${expect}.*`));
    } finally {
      service.close();
    }
  };
  await checkOAuth(bench, 'codex', {
    login,
    call: (content) => call(content, 'Stored as'),
    async widen(content) {
      await call(content, 'Insufficient scope');
      await login('--scopes', 'lore:read,lore:write');
      return call(content, 'Stored as');
    },
  });
}

/** Read by a tool of the client itself. */
async function checkResource(bench) {
  const input = { server: 'x', uri: resource.uri };
  const model = { vendor: 'openai', pattern: '^read_mcp_resource$', input };
  await bench.checkCall(
    'stdio',
    { name: 'mounted: resource', method: 'resources/read', model },
    async (tapped, base) => {
      const env = writeSettings(bench, 'resource', tapped, base);
      const end = await bench.run(['exec', '--skip-git-repo-check', 'read it'], { env });
      return findInSuccess(end, new RegExp(`TOOL RESULT: .*${resource.expect}.*`));
    },
  );
}

/** Only a client of the app server is asked; `codex exec` declines. */
async function checkQuestion(bench) {
  const { name, tool, input, expect } = question;
  const model = { vendor: 'openai', pattern: `^mcp__x.*${tool}$`, input };
  await bench.checkCall('stdio', { name, model }, async (tapped, base) => {
    const env = writeSettings(bench, 'question', tapped, base);
    const asked = /"method":"mcpServer\/elicitation\/request","id":(\d+)/;
    const answer = (id) => `${JSON.stringify({ id: Number(id), result: { action: 'accept', content: answers } })}\n`;
    const start = (threadId) =>
      formatMessage('turn/start', 3, {
        threadId,
        input: [{ type: 'text', text: 'call it' }],
        approvalPolicy: 'on-request',
      });
    const dialogue = [
      { say: formatMessage('initialize', 1, { clientInfo: { name: 'check', version: '1' } }), until: /"id":1,/ },
      { say: formatMessage('initialized') + formatMessage('thread/start', 2, {}), until: /"id":2,/ },
      { say: (text) => start(/"thread":\{"id":"([^"]+)"/.exec(text)?.[1]), until: asked },
      { say: (text) => answer(asked.exec(text)?.[1]), until: /"method":"turn\/completed"/ },
    ];
    const end = await bench.run(['app-server'], { env, dialogue });
    return findIn(end, new RegExp(`TOOL RESULT: .*${expect}.*`));
  });
}

async function connect(bench, transport, address) {
  const env = writeSettings(bench, transport, address, 'http://127.0.0.1:9');
  const dialogue = [
    { say: formatMessage('initialize', 1, { clientInfo: { name: 'check', version: '1' } }), until: /"id":1,/ },
    { say: formatMessage('initialized') + formatMessage('mcpServerStatus/list', 2, {}), until: /"id":2,/ },
  ];
  const end = await bench.run(['app-server'], { env, dialogue });
  return findIn(end, new RegExp(`"serverInfo":\\{[^}]*\\}(?=.*"name":"${bench.tool}")`));
}

// A JSON string is a TOML string, too.
function writeSettings(bench, name, { command, url }, base) {
  const server = url
    ? `url = ${JSON.stringify(url)}`
    : `command = ${JSON.stringify(command[0])}\nargs = ${JSON.stringify(command.slice(1))}`;
  const file = bench.writeConfig(
    `codex-${name}/config.toml`,
    `model = "mock"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "read-only"
check_for_update_on_startup = false
mcp_oauth_credentials_store = "file"

[analytics]
enabled = false

[model_providers.mock]
name = "mock"
base_url = "${base}/v1"
wire_api = "responses"

[mcp_servers.x]
${server}
default_tools_approval_mode = "approve"
`,
  );
  return { CODEX_HOME: dirname(file) };
}
