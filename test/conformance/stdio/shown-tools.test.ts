// Which tools a client is shown, by its own name, in both eras.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../support/folder.ts';
import type { Json, Message } from '../../support/stdio-client.ts';
import { ableClient, open, startSession, wrap } from './conversation.ts';

function namesOf({ result }: Message): string[] {
  const tools = result?.tools as { name: string }[];
  return tools.map(({ name }) => name);
}

it('shows a client the tools of its profile, and lets it call the others', async () => {
  const file = join(createFolder('settings'), 'config.json');
  writeFileSync(
    file,
    JSON.stringify({ shown_tools: { 'Stdio-Test': ['test_simple_text', 'memory'], '*': ['status'] } }),
  );
  const client = await open(() => startSession('2025-11-25', ableClient, { LORE_CONFIG: file }));

  const inSession = namesOf(await client.request('tools/list'));
  expect(inSession).toContain('test_simple_text');
  expect(inSession).toContain('recall');
  expect(inSession).not.toContain('search_code');
  expect(namesOf(await client.request('tools/list', wrap()))).toEqual(inSession);
  const call = { name: 'test_tool_with_progress', arguments: {} };
  expect(await client.request('tools/call', call)).toMatchObject({ result: { content: expect.any(Array) } });

  const other = wrap();
  (other._meta as Json)['io.modelcontextprotocol/clientInfo'] = { name: 'other', version: '1' };
  expect(namesOf(await client.request('tools/list', other))).toEqual(['status']);
});
