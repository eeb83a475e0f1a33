// lore hook: programs run it at every prompt, so it loads little, answers in time or not at all, and always exits with
// status 0, because another status could block the prompt.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { learn, saveCheckpoint } from '../../agents/hook.ts';
import { readHookInput } from '../../agents/hook-event.ts';
import type { App, AppOptions } from '../../app.ts';
import { loadConfig } from '../../config/load.ts';
import { localCaller } from '../../core/call.ts';
import type { Command } from '../../core/command.ts';
import { LoreError } from '../../core/error.ts';
import { defaultLocation } from '../../core/location.ts';
import { answerHook, createToolCaller, findEvent } from '../hook/answer.ts';
import { readHookText } from '../hook/input.ts';
import { startOnce } from '../start.ts';

/** A user waits for the answer to a prompt; learning runs in the background. */
const timeoutMs = { start: 1_500, prompt: 1_500, learn: 8_000 };

/** Usually enough to learn the last turns of a conversation. */
const momentMs = 300;

/** Our own event, for the process that finishes learning. */
const drainWord = 'drain';

export const hook: Command = {
  name: 'hook',
  summary: 'Handle a hook of an agent. Agents call this; lore install sets it up.',
  usage: '<event>',
  takesText: true,
  examples: [
    [`echo '{"prompt":"which database?"}' | lore hook UserPromptSubmit`, 'what Claude Code would get'],
    ['MCP_DEBUG=1 lore hook SessionStart < input.json', 'on stderr, why it prints nothing'],
  ],
  async run({ words, output }) {
    const complain = (error: unknown) => {
      if (process.env.MCP_DEBUG === '1' || process.env.LOG_LEVEL === 'debug')
        output.note(`lore hook: ${String(error)}`);
      process.exit(0);
    };
    process.on('uncaughtException', complain).on('unhandledRejection', complain);
    try {
      if (words[0] === drainWord) return await drain();
      const context = await answer(words[0] ?? '', complain);
      if (context !== undefined) output.printNow(context);
    } catch (error) {
      complain(error);
    }
    // Nothing is closed: every commit is on disk, and closing would delay the prompt.
    process.exit(0);
  },
};

async function answer(name: string, complain: (error: unknown) => void): Promise<string | undefined> {
  const { moment, closing } = findEvent(name);
  const late = new LoreError('timeout', `Cannot answer the hook "${name}": it timed out`);
  setTimeout(() => complain(late), timeoutMs[moment]);
  const input = readHookInput(await readHookText(), process.env);
  if (input.folder !== undefined) process.chdir(input.folder);
  const { db } = loadConfig().values;
  // Without a database there is nothing to find, and a query must not create one.
  const location = db || defaultLocation();
  if (moment !== 'learn' && !location.includes('://') && !existsSync(location)) return undefined;
  const app = await startOnce({ flags: {} }, 'silent', moment === 'prompt' ? await useMemoryOnly() : {});
  if (app.learning.ignores(localCaller.folder)) return undefined;
  const call = createToolCaller(app);
  if (moment !== 'learn') return answerHook(name, input, call);
  const { projects } = await app.folders.open(localCaller);
  const isPaused = (at: number) => app.learning.pausedUntil(projects, at) !== undefined;
  const { openBookmarks } = await import('../../agents/bookmark.ts');
  const bookmarks = openBookmarks(join(dirname(defaultLocation()), 'transcripts'));
  const isLearning = await learn(input, bookmarks, call);
  if (closing && !isPaused(Date.now())) await saveCheckpoint(input, call, isPaused);
  if (isLearning) await finishLearning(app);
  return undefined;
}

/** A prompt needs one tool, and loading the other services would take longer than its search. */
async function useMemoryOnly(): Promise<Pick<AppOptions, 'services' | 'only'>> {
  const { createMemoryService } = await import('../../services/memory/service.ts');
  return {
    only: true,
    services: ({ graph, folders, learning }) => [createMemoryService(graph, folders, learning)],
  };
}

/**
 * The input is stored, but learning runs in the background, perhaps without a server. Most of it takes a moment; the rest
 * is left to a separate process.
 */
async function finishLearning(app: App): Promise<void> {
  const { worker } = await app.graph.open();
  const isDone = await Promise.race([worker.idle().then(() => true), pause(momentMs, false)]);
  await app.stop();
  if (!isDone) await startDraining();
}

async function startDraining(): Promise<void> {
  const { spawn } = await import('node:child_process');
  const args = [process.argv[1] ?? '', 'hook', drainWord];
  spawn(process.execPath, args, { detached: true, stdio: 'ignore', windowsHide: true }).unref();
}

async function drain(): Promise<number> {
  const app = await startOnce({ flags: {} }, 'silent');
  try {
    await (await app.graph.open()).worker.idle();
  } finally {
    await app.stop();
  }
  return 0;
}
