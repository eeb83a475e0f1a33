// lore pause: stops learning from conversations in one project or in all.

import { changeSettings } from '../../config/change-settings.ts';
import { loadConfig } from '../../config/load.ts';
import { beginPause, endPause, isPaused } from '../../config/pause.ts';
import { localCaller } from '../../core/call.ts';
import type { Command, Invocation } from '../../core/command.ts';
import { describeEnd, everyProject, readSpan } from '../../core/learning.ts';
import { startOnce } from '../start.ts';
import { usageError } from '../usage.ts';

export const pause: Command = {
  name: 'pause',
  summary:
    'Stop learning from conversations in this project, or in all, for a time or until --off. remember still works.',
  usage: '[duration]',
  options: {
    all: { type: 'boolean', help: 'Every project, not only this one' },
    off: { type: 'boolean', help: 'End the pause; conversations held during it are never learned' },
  },
  examples: [
    ['lore pause', 'this project, until lore pause --off'],
    ['lore pause 2h', 'this project, for two hours'],
    ['lore pause --all 1d', 'every project, for a day'],
    ['lore pause --off', 'learn again'],
  ],
  async run(invocation) {
    const { words, options, output } = invocation;
    const [duration] = words;
    const isOff = options.off === true;
    if (isOff && duration !== undefined) throw usageError(pause, 'A duration cannot be combined with --off');
    const now = Date.now();
    const until = duration === undefined ? Number.POSITIVE_INFINITY : now + readSpan(duration);
    const { keys, name } =
      options.all === true ? { keys: [everyProject], name: 'every project' } : await readProject(invocation);
    const [key = everyProject] = keys;
    const before = loadConfig().values.paused;
    // Also ends pauses of projects merged into this one; each of them applies to this project.
    const ending = keys.flatMap((one) => endPause(before, one, now));
    const { file, changed } = changeSettings(isOff ? ending : beginPause(before, key, now, until));
    const running = [everyProject, ...keys].find((one) => isPaused(loadConfig().values.paused, one, now));
    if (output.json) output.printJson({ file, changed, paused: running !== undefined });
    else output.print(`${describe({ name, key, running, isOff, changed, until })}\n${output.dim(file)}`);
    return 0;
  },
};

interface Outcome {
  name: string;
  key: string;
  running: string | undefined;
  isOff: boolean;
  changed: boolean;
  until: number;
}

function describe({ name, key, running, isOff, changed, until }: Outcome): string {
  if (!isOff) return `Learning is paused in ${name}${describeEnd(until)}. remember still works.`;
  if (running !== undefined && running !== key)
    return 'Learning is paused in every project. To end that pause: lore pause --all --off';
  return changed ? `Learning is on again in ${name}.` : `Learning was not paused in ${name}.`;
}

async function readProject({ flags }: Invocation): Promise<{ keys: readonly string[]; name: string }> {
  const app = await startOnce({ flags }, 'silent');
  try {
    const { project, projects } = await app.folders.open(localCaller);
    return { keys: projects, name: `project "${project.name}"` };
  } finally {
    await app.stop();
  }
}
