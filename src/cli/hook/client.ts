// The first step of `lore hook`, small and separate: asks the server of this folder. If there is none or it does not answer,
// the full command line does the work.
import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { hookEvents, readHookInput } from '../../agents/hook-event.ts';
import { createOutput } from '../output.ts';
import { readHookText } from './input.ts';
import { answerMark, describeCommon, type HookQuestion, socketOf } from './socket-path.ts';

const timeoutMs = 1_500;

export async function askServer(otherwise: () => void): Promise<void> {
  const event = process.argv[3] ?? '';
  try {
    const answer = await ask(event);
    if (answer === undefined) return otherwise();
    if (answer !== '') createOutput(false).printNow(answer);
    process.exit(0);
  } catch {
    otherwise();
  }
}

async function ask(event: string): Promise<string | undefined> {
  const known = Object.hasOwn(hookEvents, event) ? hookEvents[event] : undefined;
  // Learning is not sent to a server, which may stop with this session before the data is stored.
  if (!known || known.moment === 'learn' || process.argv.length > 4) return undefined;
  const project = process.env.LORE_PROJECT || process.env.KUZU_MEMORY_PROJECT;
  // A name has to be looked up.
  if (project && !isAbsolute(project)) return undefined;
  const input = await readHookText();
  const folder = realpathSync(project || (readHookInput(input, process.env).folder ?? process.cwd()));
  const common = describeCommon(folder, process.env);
  const path = socketOf(common, process.env);
  if (path === undefined || !existsSync(path)) return undefined;
  return exchange(path, { ...common, event, input });
}

function exchange(path: string, question: HookQuestion): Promise<string | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    // Loaded only if there is a server, because it is large.
    const socket = process.getBuiltinModule('node:net').connect(path, () => socket.end(JSON.stringify(question)));
    // Prints nothing: starting over would take even longer.
    const timer = setTimeout(() => process.exit(0), timeoutMs);
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      const text = Buffer.concat(parts).toString();
      resolve(text.startsWith(answerMark) ? text.slice(answerMark.length) : undefined);
    });
  });
}
