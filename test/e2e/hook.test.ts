// A hook asks the server that runs in its folder, and only that one; the answer is the server's, not the hook's own.
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { serveHooks } from '../../src/cli/hook/server.ts';
import { describeCommon, socketOf } from '../../src/cli/hook/socket-path.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createLog } from '../../src/core/log.ts';
import * as s from '../../src/core/schema.ts';
import { defineTool } from '../../src/core/tool.ts';
import { createFolder } from '../support/folder.ts';
import { runLore } from '../support/lore.ts';

let env: { XDG_DATA_HOME: string; XDG_CACHE_HOME: string; LORE_DB: string; LORE_CONFIG: string };

beforeEach(() => {
  const data = createFolder('d');
  env = {
    XDG_DATA_HOME: data,
    XDG_CACHE_HOME: data,
    LORE_DB: join(data, 'none.db'),
    LORE_CONFIG: join(data, 'none.json'),
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
});

const socketFor = (folder: string) => socketOf(describeCommon(folder, process.env), process.env) as string;

/** Serves `folder` from this process; what it is asked, it knows by its number. */
async function serve(folder: string): Promise<void> {
  const enhance = defineTool({
    name: 'enhance',
    title: 'Enhance',
    description: 'Says who answers.',
    effect: 'read',
    input: s.object({ prompt: s.string(), format: s.string(), budget_tokens: s.integer() }),
    output: s.object({ relevant: s.boolean(), text: s.string() }),
    run: ({ prompt }) => ({ relevant: prompt !== 'nothing', text: `process ${process.pid}` }),
  });
  const services = [{ id: 'fixture', title: 'Fixture', summary: 'Answers.', tools: () => [enhance] }];
  const config = loadConfig({ flags: { disabled_services: 'memory' } });
  const app = await createApp({ config, log: createLog('silent'), services });
  onTestFinished(() => app.stop());
  serveHooks(app, folder);
  await expect.poll(() => existsSync(socketFor(folder))).toBe(true);
}

function ask(folder: string, prompt = 'who?', more: Record<string, string> = {}) {
  const input = JSON.stringify({ cwd: folder, prompt });
  return runLore(['hook', 'UserPromptSubmit'], { input, env: { ...env, ...more } });
}

const answered = `${JSON.stringify({
  hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: `process ${process.pid}` },
})}\n`;
const silent = { code: 0, stdout: '', stderr: '' };

describe('a hook', () => {
  it('is answered by the server of its folder', async () => {
    const folder = realpathSync(createFolder('p'));
    await serve(folder);
    expect(await ask(folder)).toEqual({ code: 0, stdout: answered, stderr: '' });
    expect(await ask(folder, 'nothing')).toEqual(silent);
  });

  it.each([
    ['from another folder', () => createFolder('q'), {}],
    ['with another database', (own: string) => own, { LORE_DB: '/nonexistent/other.db' }],
  ])('%s is not', async (_, choose, more) => {
    const folder = realpathSync(createFolder('p'));
    await serve(folder);
    expect(await ask(choose(folder), 'who?', more)).toEqual(silent);
  });

  it('is not blocked by a dead server or by other content', async () => {
    const folder = realpathSync(createFolder('p'));
    mkdirSync(dirname(socketFor(folder)), { recursive: true });
    writeFileSync(socketFor(folder), '');
    expect(await ask(folder)).toEqual(silent);
    await serve(folder);
    await expect.poll(async () => (await ask(folder)).stdout).toBe(answered);
    const other = realpathSync(createFolder('p'));
    const stranger = createServer((socket) => void socket.end('hello')).listen(socketFor(other));
    onTestFinished(() => void stranger.close());
    expect(await ask(other)).toEqual(silent);
  });
});
