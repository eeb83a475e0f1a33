// Finds a command by its words: built in, brought by a service, or a tool. The words of a tool's name may be separated by
// spaces, hyphens or underscores: `checkpoint resume`, `checkpoint-resume`, `checkpoint_resume`.
import type { App } from '../app.ts';
import type { Command } from '../core/command.ts';
import { LoreError } from '../core/error.ts';
import type { LogThreshold } from '../core/log.ts';
import type { ToolPermission } from '../core/registry/registry.ts';
import { describeTools } from '../core/service.ts';
import { didYouMean } from '../core/text/similar-names.ts';
import { commands, findCommand, loadCommands } from './commands/index.ts';
import { usageForms } from './usage.ts';

/** A tool's name has at most this many words. */
const mostWords = 4;

/** Runs `use` with the command and the arguments after its name, while the app runs if the command needs one. */
export async function withCommand<T>(
  args: readonly string[],
  threshold: LogThreshold,
  use: (command: Command, rest: string[]) => Promise<T>,
): Promise<T> {
  const [first = '', second] = args;
  const builtIn = await findCommand(first);
  if (builtIn && !mayNameTool(builtIn, second)) return use(builtIn, args.slice(1));
  return withApp(threshold, async (app) => {
    const brought = broughtCommands(app);
    const own = brought.find(({ name }) => name === first);
    if (own) return use(own, args.slice(1));
    const tools = listedTools(app).map(({ tool }) => tool);
    const found = findTool(tools, args, builtIn ? 2 : 1);
    if (found) {
      const { defineToolCommand } = await import('./tool-command.ts');
      return use(defineToolCommand(found.tool, app), args.slice(found.words));
    }
    if (builtIn) return use(builtIn, args.slice(1));
    refuseStopped(app, args);
    const names = [...Object.keys(commands), ...[...brought, ...tools].map(({ name }) => name)];
    const hint = (second && didYouMean(`${first}_${second}`, names)) ?? didYouMean(first, names);
    throw new LoreError('invalid_input', `Unknown command ${JSON.stringify(first)}`, {
      hint: `${hint ?? ''} lore help lists all commands.`.trim(),
    });
  });
}

/** The tools of a disabled or failed service are not listed, but a person may know them. */
function refuseStopped({ offered, registry }: App, args: readonly string[]): void {
  const running = registry.services();
  for (const service of offered) {
    const { id } = service;
    const { state, problem } = running.find((one) => one.id === id) ?? {};
    const found = state === 'running' ? undefined : findTool(describeTools(service), args, 1);
    if (!found) continue;
    throw new LoreError('unavailable', `Cannot run "${found.tool.name}": the service "${id}" is not running`, {
      hint: problem ?? `Start it: lore service enable ${id}`,
    });
  }
}

/** `skill search` is the tool skill_search, although skill is a command with other verbs. */
function mayNameTool(command: Command, second: string | undefined): boolean {
  const verbs = usageForms(command).flatMap(({ verb }) => verb ?? []);
  return verbs.length > 0 && second !== undefined && /^\w+$/.test(second) && !verbs.includes(second);
}

/** The shortest name wins, so that words after the name of a tool are always its arguments. */
function findTool<T extends { name: string }>(tools: readonly T[], args: readonly string[], least: number) {
  for (let words = least; words <= Math.min(mostWords, args.length); words++) {
    const name = args.slice(0, words).join('_').replaceAll('-', '_');
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool) return { tool, words };
  }
  return undefined;
}

/** Includes tools without permission: calling one explains how to allow it. */
export function listedTools({ registry }: App): ToolPermission[] {
  return registry.permissions().filter(({ tool }) => tool.scope === undefined);
}

/** Built-in commands, those of services, and tools. */
export async function allCommands(app: App): Promise<Omit<Command, 'run'>[]> {
  const { describeToolCommand } = await import('./tool-usage.ts');
  const own = [...(await loadCommands()), ...broughtCommands(app)];
  const tools = listedTools(app).filter(({ tool }) => !own.some(({ name }) => name === tool.name));
  return [...own, ...tools.map(({ tool }) => describeToolCommand(tool))];
}

export function broughtCommands({ offered }: App): Command[] {
  return offered.flatMap((service) => service.commands?.() ?? []);
}

export async function withApp<T>(threshold: LogThreshold, use: (app: App) => Promise<T>): Promise<T> {
  const { startOnce } = await import('./start.ts');
  const app = await startOnce({ flags: {} }, threshold);
  try {
    return await use(app);
  } finally {
    await app.stop();
  }
}
