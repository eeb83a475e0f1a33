// Claude Code, in the two generations that differ on the wire: the newer opens with server/discover, the older with
// initialize.
import { findInSuccess } from './bench.mjs';
import { checkClaudeHooks } from './hooks.mjs';
import { answers, question, resource } from './mounted.mjs';

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
      }
    },
  };
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
