// Starts the app from a command: settings from all sources, the log on stderr, and shutdown on signals.

import type { App, AppOptions } from '../app.ts';
import { loadConfig } from '../config/load.ts';
import { workIn } from '../core/call.ts';
import type { Invocation } from '../core/command.ts';
import { createLog, type Log, type LogLine, type LogThreshold } from '../core/log.ts';

/** Long-running: follows the settings file and logs as configured. */
export async function startServer(
  { flags }: Invocation,
  options: Pick<AppOptions, 'services' | 'only'> = {},
): Promise<App> {
  const config = loadConfig({ flags });
  const { prepareApp } = await import('../app.ts');
  const app = prepareApp({ config, log: await createServerLog(config.values.log_level), ...options });
  app.watch({ flags });
  return enterProject(app);
}

async function createServerLog(threshold: LogThreshold): Promise<Log> {
  if (process.stderr.isTTY !== true) return createLog(threshold);
  const { formatLogLine } = await import('./log-line.ts');
  return createLog(threshold, undefined, formatLogLine);
}

/** For one command, without logs, since the command reports errors itself. */
export async function startOnce(
  { flags }: Pick<Invocation, 'flags'>,
  threshold: LogThreshold = 'error',
  options: Pick<AppOptions, 'services' | 'only'> = {},
): Promise<App> {
  const { createApp } = await import('../app.ts');
  const config = loadConfig({ flags });
  return enterProject(
    await createApp({ config, log: createLog(threshold, undefined, formatCommandLog), stays: false, ...options }),
  );
}

/** Beside the message of the command itself, one line is enough; a server's log has the rest. */
function formatCommandLog({ event, facts = {} }: LogLine): string {
  return `lore: ${typeof facts.error === 'string' ? facts.error : event.replaceAll('_', ' ')}\n`;
}

/** If a person named a project, callers work there. */
async function enterProject(app: App): Promise<App> {
  const { project } = app.settings();
  if (project === '') return app;
  const { chooseFolder } = await import('../graph/project/named.ts');
  workIn(await chooseFolder(app.graph, project));
  return app;
}

/** Aborts on the first SIGINT or SIGTERM; a second one exits at once. */
export function onTermination(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(1);
      controller.abort();
    });
  }
  return controller.signal;
}
