// Claude Code, in the two generations that differ on the wire: the newer opens with server/discover, the older with
// initialize.
import { join } from 'node:path';
import { findIn, findInSuccess } from './bench.mjs';
import { checkClaudeHooks } from './hooks.mjs';
import { answers, question, resource } from './mounted.mjs';
import { checkOAuth, tool as stores, withBrowser } from './oauth.mjs';

export const claudeModern = defineClaude({ id: 'claude-modern', version: '2.1.325', revision: '2026-07-28' });
export const claudeLegacy = defineClaude({ id: 'claude-legacy', version: '2.1.197' });

/** Shown from the start, while the other tools wait for a search. */
const preloaded = { name: 'call a preloaded tool', tool: 'recall', input: { query: 'x' }, expect: 'Nothing is known' };

/** The tool of the client itself that reads resources. */
const readResource = {
  name: 'mounted: resource',
  own: 'ReadMcpResourceTool',
  method: 'resources/read',
  input: { server: 'x', uri: resource.uri },
  expect: resource.expect,
};

function defineClaude({ id, version, revision }) {
  return {
    id,
    package: '@anthropic-ai/claude-code',
    version,
    bin: 'claude',
    native: true,
    finish: 'install.cjs',
    async check(bench) {
      let listed;
      for (const transport of bench.transports) {
        await bench.check(transport, 'connect', async () => {
          listed ??= await addAndList(bench);
          return findInSuccess(listed, new RegExp(`^${transport}: .*✔ Connected`, 'm'));
        });
      }
      for (const transport of bench.transports) {
        for (const call of bench.callsOver(transport)) await checkCall(bench, transport, revision, call);
      }
      if (bench.server.entry) {
        if (revision) await checkCall(bench, 'stdio', revision, preloaded, { ENABLE_TOOL_SEARCH: 'true' });
        await checkCall(bench, 'stdio', revision, readResource);
        await checkCall(bench, 'stdio', revision, question, {}, answerWith(bench, answers));
        await checkClaudeHooks(bench);
        await checkLogin(bench, id, { asksOnScreen: revision !== undefined });
      }
    },
  };
}

/** It logs in only in a terminal. The newer one asks on its screen whether to log in again for a further scope. */
async function checkLogin(bench, id, { asksOnScreen }) {
  const key = 'a key that nobody checks';
  const settings = join(bench.home, 'oauth');
  const env = withBrowser(bench, { CLAUDE_CONFIG_DIR: settings, TERM: 'xterm-256color', ENABLE_TOOL_SEARCH: 'false' });
  const pattern = `mcp__x__${stores}`;
  bench.writeConfig('oauth/.claude.json', {
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    projects: { [bench.cwd]: { hasTrustDialogAccepted: true } },
    mcpServers: { x: { type: 'http', url: bench.oauth.url } },
  });
  const call = async (content, args, options, expect) => {
    const service = await bench.openModel(
      { vendor: 'anthropic', pattern, input: { content } },
      join(settings, 'model'),
    );
    try {
      const own = { ...env, ANTHROPIC_BASE_URL: service.url, ANTHROPIC_API_KEY: key };
      return findIn(await bench.run([...args, '--allowedTools', pattern], { env: own, ...options }), expect);
    } finally {
      service.close();
    }
  };
  const login = async () => {
    await bench.run(['mcp', 'logout', 'x'], { env });
    findInSuccess(await bench.run(['mcp', 'list'], { env }), /Needs authentication/);
    findInSuccess(await bench.run(['mcp', 'login', 'x'], { env, terminal: true }), /Authenticated with "x"/);
  };
  const print = (content, expect = 'Stored as') =>
    call(content, ['-p', 'call it'], {}, new RegExp(`TOOL RESULT: .*${expect}.*`));
  /** The older one reports it, and its user logs in again. */
  const widenByHand = async (content) => {
    await print(content, 'requires re-authorization');
    await login();
    return print(content);
  };
  const widenOnScreen = (content) => {
    // Words on its screen may be separated by movements of the cursor. It shows its prompt before it is connected.
    const dialogue = [
      { say: '', until: /for\s*agents/ },
      { say: '/mcp', until: /Manage\s*MCP/ },
      { say: '\r', until: /✔.{0,20}\d+\s*tools/ },
      { say: '\x1b', until: /✔.{0,20}\d+\s*tools.*❯/s },
      { say: 'call it', until: /call\s*it/ },
      { say: '\r', until: /1\.\s*Re-authenticate\s*in\s*browser/ },
      { say: '\r', until: /Re-authenticated.*Stored\s*as/s, insists: true },
    ];
    return call(content, [], { terminal: true, dialogue }, /Re-authenticated\s*MCP\s*server.*?Stored\s*as/s);
  };
  await checkOAuth(bench, id, { login, call: print, widen: asksOnScreen ? widenOnScreen : widenByHand });
}

async function addAndList(bench) {
  for (const transport of bench.transports) {
    const address = bench.server[transport];
    const target = transport === 'stdio' ? ['stdio', '--', ...address] : ['-t', transport, transport, address];
    findInSuccess(await bench.run(['mcp', 'add', '-s', 'user', ...target]), /^Added .*/m);
  }
  return bench.run(['mcp', 'list']);
}

/** Without a terminal, a hook answers the questions of servers. */
function answerWith(bench, content) {
  const hookSpecificOutput = { hookEventName: 'Elicitation', action: 'accept', content };
  const file = bench.writeConfig('answer.json', { hookSpecificOutput });
  const hooks = { Elicitation: [{ hooks: [{ type: 'command', command: `cat ${file}` }] }] };
  return ['--settings', bench.writeConfig('answering.json', { hooks })];
}

async function checkCall(bench, transport, revision, call, settings, flags = []) {
  const { tool, own, input, expect, ...wanted } = call;
  const pattern = own ?? `mcp__x__${tool}`;
  const model = { vendor: 'anthropic', pattern, input };
  // Over the transport of 2024-11-05 no client can speak a newer revision than the sessions allow.
  // It falls back to sessions if the server is slow to start, and mounted servers have to work in both.
  const isFree = transport === 'sse' || wanted.name.startsWith('mounted');
  const expected = isFree ? undefined : revision;
  await bench.checkCall(transport, { ...wanted, revision: expected, model }, async ({ command: start, url }, base) => {
    const server = url ? { type: transport, url } : { command: start[0], args: start.slice(1) };
    const config = bench.writeConfig(`${transport}.json`, { mcpServers: { x: server } });
    const env = { ENABLE_TOOL_SEARCH: 'false', ANTHROPIC_BASE_URL: base, ANTHROPIC_API_KEY: 'dummy', ...settings };
    const args = ['-p', 'call it', '--mcp-config', config, '--strict-mcp-config', '--allowedTools', pattern, ...flags];
    return findInSuccess(await bench.run(args, { env }), new RegExp(`TOOL RESULT: .*${expect}.*`));
  });
}
