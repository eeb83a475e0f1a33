// lore stdio

import type { App } from '../../app.ts';
import { localCaller } from '../../core/call.ts';
import type { Command } from '../../core/command.ts';
import { serveStdio } from '../../transport/stdio.ts';
import { aloneOptions, isAlone, startChosen } from '../alone.ts';
import { onTermination } from '../start.ts';

/** After the start, and before the first prompt. */
const hooksAfterMs = 200;

export const stdio: Command = {
  name: 'stdio',
  summary: 'Speak MCP on standard input and output, for a client that starts its servers itself.',
  settings: ['project', 'log_level', 'read_only', 'disabled_services', 'profile', 'call_timeout_ms', 'structured'],
  options: aloneOptions,
  examples: [
    ['claude mcp add lorekeeper -- lore stdio', 'connect Claude Code'],
    ['codex mcp add lorekeeper -- lore stdio', 'connect Codex'],
    ['lore stdio --source petstore', 'only the tools of one API of lore forge'],
    ['MCP_DEBUG=1 lore stdio', 'see every message on stderr'],
  ],
  async run(invocation) {
    const signal = onTermination();
    const app = await startChosen(invocation);
    // A source alone has nothing for hooks.
    if (!isAlone(invocation)) setTimeout(() => void serveHooks(app, localCaller.folder), hooksAfterMs).unref();
    await serveStdio(app, { input: process.stdin, output: process.stdout, signal });
    // Work that a tool did not stop must not keep the process alive.
    process.exit(0);
  },
};

async function serveHooks(app: App, folder: string): Promise<void> {
  const server = await import('../hook/server.ts');
  server.serveHooks(app, folder);
}
