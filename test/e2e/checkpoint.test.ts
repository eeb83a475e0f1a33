// Checkpoints from outside: what hooks save and what they do not, and which one is resumed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { runLore } from '../support/lore.ts';

function createPlace() {
  const folder = createFolder('project');
  const env = { LORE_DB: join(folder, 'lore.db'), XDG_DATA_HOME: join(folder, 'data') };
  const lore = async (...args: string[]) => (await runLore(args, { env, cwd: folder })).stdout;
  const line = (type: string, content: unknown) => `${JSON.stringify({ type, message: { role: type, content } })}\n`;
  const end = async (session: string, request: string, tool?: string) => {
    const transcript = join(folder, `${session}.jsonl`);
    const use = tool === undefined ? '' : line('assistant', [{ type: 'tool_use', name: tool, input: {} }]);
    writeFileSync(transcript, line('user', request) + use + line('assistant', 'Done.'));
    const input = JSON.stringify({ session_id: session, transcript_path: transcript, cwd: folder });
    await runLore(['hook', 'SessionEnd'], { env, cwd: folder, input });
  };
  const start = async () =>
    (await runLore(['hook', 'SessionStart'], { env, cwd: folder, input: JSON.stringify({ cwd: folder }) })).stdout;
  return { lore, end, start };
}

describe('checkpoints', () => {
  it('a trivial conversation saves none, and automatic checkpoints never replace explicit ones', async () => {
    const { lore, end, start } = createPlace();
    await lore('checkpoint_save', 'Goal: webhooks. State: half done. Next: write the tests.', '--name', 'webhooks');
    await end('s1', 'hi there');
    await end('s2', 'what is 2+2?');
    expect(await lore('checkpoint_list')).not.toContain('2+2');
    await end('s3', 'Rename the retry helper', 'Edit');
    await end('s3', 'Rename the other helper too', 'Edit');
    const listed = await lore('checkpoint_list');
    expect(listed).toContain('Rename the other helper too');
    expect(listed).not.toContain('Rename the retry helper');
    const resumed = await lore('checkpoint_resume');
    expect(resumed).toMatch(/^webhooks\n/);
    expect(resumed).toMatch(/Newer, saved automatically\n {2}Rename the other helper too/);
    const started = await start();
    expect(started.indexOf('half done')).toBeGreaterThan(0);
    expect(started.indexOf('Rename the other')).toBeGreaterThan(started.indexOf('half done'));
    expect(await lore('checkpoint_resume', 'rename')).toContain('## Answered last');
    expect(await lore('checkpoint_resume', '--id', 'webhooks')).toContain('half done');
  });
});
