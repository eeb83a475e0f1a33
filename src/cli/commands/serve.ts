// lore serve

import { once } from 'node:events';
import type { Command } from '../../core/command.ts';
import { version } from '../../core/version.ts';
import { aloneOptions, startChosen } from '../alone.ts';
import { onTermination } from '../start.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'Serve MCP over HTTP, for any number of clients at once.',
  settings: [
    'project',
    'host',
    'port',
    'allowed_hosts',
    'allowed_origins',
    'token_required',
    'log_level',
    'read_only',
    'disabled_services',
    'profile',
    'call_timeout_ms',
    'structured',
  ],
  options: aloneOptions,
  examples: [
    ['lore serve', 'on 127.0.0.1:8081'],
    ['lore serve --port 9090', 'on another port'],
    ['lore token && lore serve --host 0.0.0.0', 'for the network, with a token'],
    ['lore serve --repo https://github.com/acme/petstore', 'only the tools of one repository'],
    ['claude mcp add -t http lorekeeper http://127.0.0.1:8081/mcp', 'connect Claude Code to it'],
  ],
  async run(invocation) {
    const signal = onTermination();
    const app = await startChosen(invocation);
    const { serveHttp } = await import('../../transport/http.ts');
    const server = await serveHttp(app);
    const { output } = invocation;
    if (output.json) output.print(JSON.stringify({ version, url: server.url }));
    else output.print(greet(app.settings().oauth_resource || server.url, app.settings().token !== '', output.bold));
    if (!signal.aborted) await once(signal, 'abort');
    await server.stop();
    process.exit(0);
  },
};

function greet(url: string, hasToken: boolean, bold: (text: string) => string): string {
  return [
    `Lorekeeper ${version} serves MCP on ${bold(url)}`,
    '',
    'Connect a client:',
    `  Claude Code   claude mcp add -t http lorekeeper ${url}`,
    `  Codex         codex mcp add lorekeeper --url ${url}`,
    `  Gemini CLI    gemini mcp add -t http lorekeeper ${url}`,
    `  any other     {"mcpServers": {"lorekeeper": {"type": "http", "url": "${url}"}}}`,
    ...(hasToken ? ['', 'A token is set. lore token prints it, and how clients send it.'] : []),
    '',
    'Press Ctrl-C to stop it.',
  ].join('\n');
}
