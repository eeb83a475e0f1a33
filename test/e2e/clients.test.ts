// What the real clients' models are shown: each client's recorded messages, replayed to the built server. Claude Code and
// Codex show their model structuredContent instead of the text wherever there is any, so none of them may get it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { spawnLore } from '../support/lore.ts';
import { type Json, StdioClient } from '../support/stdio-client.ts';

const description = "Anthropic's agentic coding tool";
const claude = { name: 'claude-code', title: 'Claude Code', description, websiteUrl: 'https://claude.com/claude-code' };
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { ...claude, version: '2.1.325' },
  'io.modelcontextprotocol/clientCapabilities': {
    roots: { listChanged: true },
    elicitation: { form: {}, url: {} },
  },
};

interface Recorded {
  client: string;
  opening: { method: string; params: Json };
  listing?: Json;
  /** Beside the name and arguments of a call. */
  calling: Json;
}

/** Recorded with test/clients/tap.mjs. */
const recordings: Recorded[] = [
  {
    client: 'Claude Code 2.1.197',
    opening: {
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: { roots: {}, elicitation: {} },
        clientInfo: { ...claude, version: '2.1.197' },
      },
    },
    calling: { _meta: { 'claudecode/toolUseId': 'toolu_1', progressToken: 2 } },
  },
  {
    client: 'Claude Code 2.1.325',
    opening: { method: 'server/discover', params: { _meta: envelope } },
    listing: { _meta: envelope },
    calling: { _meta: { ...envelope, 'claudecode/toolUseId': 'toolu_1', progressToken: 1 } },
  },
  {
    client: 'Codex 0.166.0',
    opening: {
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: { experimental: { 'codex/auth-change': {} }, elicitation: { form: {}, url: {} } },
        clientInfo: { name: 'codex-mcp-client', title: 'Codex', version: '0.166.0' },
      },
    },
    listing: { _meta: { progressToken: 0 } },
    calling: { _meta: { callId: 'c1', 'x-codex-turn-metadata': { sandbox: 'seccomp' }, progressToken: 1 } },
  },
  {
    client: 'Gemini CLI 0.61.0',
    opening: {
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: { roots: { listChanged: true } },
        clientInfo: { name: 'gemini-cli-mcp-client', version: '0.61.0' },
      },
    },
    listing: {},
    calling: { _meta: { progressToken: '5208559d-a152-4884-b268-85406c3d8a27' } },
  },
];

function connect(): StdioClient {
  const folder = createFolder('project');
  writeFileSync(join(folder, 'retry.ts'), 'export const MAX = 6;\n\nexport function retry() {}\n');
  const child = spawnLore(['stdio'], { LORE_DB: join(folder, 'lore.db') }, folder);
  onTestFinished(() => void child.kill('SIGKILL'));
  return new StdioClient({ child, log: () => '', stop: async () => null });
}

describe.each(recordings)('$client', ({ opening, listing, calling }) => {
  it('receives the formatted text and no structured content', async () => {
    const server = connect();
    await server.request(opening.method, opening.params);
    if (opening.method === 'initialize') server.notify('notifications/initialized');
    const { result: listed } = await server.request('tools/list', listing);
    const tools = listed?.tools as Json[];
    expect(tools.length).toBeGreaterThan(30);
    expect(tools.filter((tool) => 'outputSchema' in tool)).toEqual([]);

    const call = async (name: string, args: Json) =>
      (await server.request('tools/call', { name, arguments: args, ...calling })).result as Json;
    const textOf = ({ content }: Json) => (content as { text: string }[]).map(({ text }) => text).join('\n');

    const read = await call('read_file', { path: 'retry.ts' });
    expect(read).not.toHaveProperty('structuredContent');
    expect(textOf(read)).toMatch(/\n<(lore-data-\w+)>\n1\texport const MAX = 6;\n2\t\n3\texport .*\n<\/\1>$/);

    await call('remember', { content: 'The gateway listens on port 8443.' });
    const recalled = await call('recall', { query: 'On which port does the gateway listen?' });
    expect(recalled).not.toHaveProperty('structuredContent');
    expect(textOf(recalled)).toMatch(
      /\n<(lore-data-\w+)>\n\[n_\w+ .*\]\n\| The gateway listens on port 8443\.\n<\/\1>$/,
    );

    // A failure is also an object, which Codex shows instead of the text: both say the same.
    const failed = await call('read_file', { path: 'absent.ts' });
    const { error } = failed.structuredContent as { error: { message: string } };
    expect(failed).toMatchObject({
      isError: true,
      structuredContent: { success: false, error: { code: 'not_found' } },
    });
    expect(textOf(failed)).toContain(error.message);
  });
});
