// lore open: prints a one-time link to the dashboard, of the server that runs already or of one that it starts.

import { once } from 'node:events';
import { loadConfig } from '../../config/load.ts';
import type { Command, Invocation } from '../../core/command.ts';
import { folderBeside } from '../../core/location.ts';
import { send } from '../../core/outgoing/send.ts';
import { isReserved } from '../../graph/project/reserved-folder.ts';
import type { PageLink } from '../../transport/ui/link.ts';
import { openBrowser } from '../open-browser.ts';
import { onTermination, startServer } from '../start.ts';

const timeoutMs = 2_000;

export const open: Command = {
  name: 'open',
  summary: 'Print a link to the dashboard, which works once. Starts a server if none is running.',
  settings: ['project', 'port', 'log_level'],
  options: { browser: { type: 'boolean', help: 'Open the link in the browser as well' } },
  examples: [
    ['lore open', 'print the link'],
    ['lore open --browser', 'and open it'],
    ['lore open --port 9090', 'of the server on another port'],
  ],
  async run(invocation) {
    const { values, sources } = loadConfig({ flags: invocation.flags });
    const { createLink } = await import('../../transport/ui/link.ts');
    const link = createLink(folderBeside(values.db));
    const running = await findServer(`http://127.0.0.1:${values.port}`, link);
    if (running.isOurs) return show(invocation, running.origin, link, values.project);
    const signal = onTermination();
    const flags = {
      // A line for each call of the page would hide the link.
      ...(sources.log_level === 'default' && { log_level: 'warn' }),
      ...invocation.flags,
      ...(running.isTaken && { port: '0' }),
      host: '127.0.0.1',
    };
    const app = await startServer({ ...invocation, flags });
    const { serveHttp } = await import('../../transport/http.ts');
    const server = await serveHttp(app);
    await show(invocation, new URL(server.url).origin, link, values.project);
    if (!invocation.output.json) invocation.output.print('The server runs until you press Ctrl-C.');
    if (!signal.aborted) await once(signal, 'abort');
    await server.stop();
    process.exit(0);
  },
};

/** A server is ours if it finds the link in its installation; another one must not get the key. */
async function findServer(origin: string, { hash }: PageLink) {
  try {
    const request = { method: 'GET', origin, target: `/ui/link/${hash}` };
    const { status } = await send(request, { reach: 'private', timeoutMs, maxBytes: 10_000 });
    return { origin, isOurs: status === 204, isTaken: true };
  } catch {
    return { origin, isOurs: false, isTaken: false };
  }
}

async function show(
  { output, options }: Invocation,
  origin: string,
  { key }: PageLink,
  named: string,
): Promise<number> {
  // The dashboard shows the project of this folder, wherever the server was started.
  const project = named || (isReserved(process.cwd()) ? '' : process.cwd());
  // The part after # is never sent in a request.
  const fragment = new URLSearchParams({ k: key, ...(project !== '' && { p: project }) });
  const url = `${origin}/ui/#${fragment}`;
  if (output.json) output.printJson({ url });
  else output.print(`${output.bold(url)}\nThe link works once, within five minutes.`);
  if (options.browser === true) await openBrowser(url);
  return 0;
}
