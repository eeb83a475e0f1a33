// Runs another program without a shell: arguments are a list, so a value cannot become code. Output, time and environment are
// limited; ending the iteration ends the program and its children.
import { delimiter, isAbsolute } from 'node:path';
import type { Readable } from 'node:stream';
import { LoreError } from '../error.ts';
import { endChild, explainStart, missingProgramError, startChild } from './child.ts';
import { findIn, trustPath } from './path.ts';
import { type Usage, watchUsage } from './usage.ts';

export interface Program {
  /** Searched on PATH unless it is an absolute path. Programs in its folder, in ours or in `outside` are not run. */
  program: string;
  args: readonly string[];
  /** The purpose, for errors: `read "syslog"`. */
  action?: string;
  folder?: string;
  /** What it reads on stdin: secrets and data, which others could see among its arguments. */
  input?: string | undefined;
  /** Its output is what it writes to file descriptor 3; stdout is ignored. */
  answersOn3?: boolean;
  /** Other folders with untrusted content. */
  outside?: readonly string[];
  /** Default: the result of `cleanEnvironment`. */
  env?: NodeJS.ProcessEnv;
  /** 'latin1' keeps every byte, for decoding later. */
  encoding?: 'utf8' | 'latin1';
  signal?: AbortSignal | undefined;
  /** Timeout for the program itself, in ms, without the time spent on its output. */
  timeoutMs?: number;
  /** Timeout without output, in ms. */
  silenceMs?: number;
  maxBytes?: number;
  /** Of the program and its children together, if the system reports it. */
  maxUsage?: Usage | undefined;
  /** Reports progress on stderr, which counts as output. */
  reportsProgress?: boolean;
  /** Accepts a status other than 0, such as "nothing found". */
  accepts?(status: number, complaint: string): boolean;
  /** Translates its failure; by default only the failure itself is reported. */
  explain?(status: number, complaint: string): LoreError | undefined;
}

const defaults = { timeoutMs: 10 * 60_000, silenceMs: 30_000, maxBytes: 1 << 30, encoding: 'utf8' } as const;
const maxComplaint = 4_000;

/** The environment for programs: folders and the user, but nothing that changes their behaviour or is secret. */
const known = `PATH HOME USER LOGNAME TZ TMPDIR TEMP TMP DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR XDG_CONFIG_HOME
  XDG_CONFIG_DIRS XDG_DATA_HOME XDG_DATA_DIRS XDG_CACHE_HOME XDG_STATE_HOME XDG_CURRENT_DESKTOP SystemRoot SystemDrive windir
  PATHEXT USERPROFILE USERNAME APPDATA LOCALAPPDATA ProgramData`.split(/\s+/);

/** Read by name: enumerating all variables takes longer than starting a program. */
export function cleanEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept: NodeJS.ProcessEnv = { LC_ALL: 'C.UTF-8' };
  for (const name of known) {
    const value = env[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

/** Streams the output with backpressure; a status other than 0 throws an error. */
export async function* streamProgram(run: Program): AsyncGenerator<string, void, void> {
  const { program, args, signal, timeoutMs, silenceMs, maxBytes, encoding } = { ...defaults, ...run };
  const action = run.action ?? `run "${program}"`;
  signal?.throwIfAborted();
  if (args.some((argument) => argument.includes('\0')))
    throw new LoreError('invalid_input', `Cannot ${action}: a value contains a NUL character`);
  const { file, env } = prepareProgram(run);
  const { child, ended } = startChild(run, file, env, run.input === undefined ? 'ignore' : 'pipe');
  // Without file descriptors there are no pipes, whatever the types say.
  const output = (run.answersOn3 ? child.stdio?.[3] : child.stdout) as Readable | null | undefined;
  if (!output) throw explain(run, action, await ended, '');
  // It may end without reading.
  child.stdin?.on('error', () => {}).end(run.input);
  const end = () => endChild(child);
  signal?.addEventListener('abort', end);
  const watch = createWatch({ silenceMs, timeoutMs }, end);
  let excess: string | undefined;
  const unwatch =
    run.maxUsage &&
    watchUsage(child.pid as number, run.maxUsage, (state) => {
      excess = state;
      end();
    });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    // What went wrong comes last.
    complaint = (complaint + part).slice(-maxComplaint);
    if (run.reportsProgress) watch.heard();
  });
  let bytes = 0;
  try {
    for await (const part of output.setEncoding(encoding) as AsyncIterable<string>) {
      watch.pause();
      bytes += Buffer.byteLength(part);
      if (bytes > maxBytes)
        throw new LoreError('limit_exceeded', `Cannot ${action}: ${program} printed more than ${maxBytes} bytes`);
      yield part;
      watch.resume();
    }
    const status = await ended;
    const isAccepted = status === 0 || (typeof status === 'number' && run.accepts?.(status, complaint));
    // A program that was ended has incomplete output, even if it exited normally.
    const isWhole = watch.late === undefined && signal?.aborted !== true;
    if (!isAccepted || !isWhole) throw explain(run, action, status, complaint);
  } catch (error) {
    // This is the cause, however it ended.
    signal?.throwIfAborted();
    if (excess !== undefined) throw new LoreError('limit_exceeded', `Cannot ${action}: ${program} ${excess}`);
    if (watch.late !== undefined) throw new LoreError('timeout', `Cannot ${action}: ${program} ${watch.late}`);
    throw error;
  } finally {
    watch.pause();
    unwatch?.();
    signal?.removeEventListener('abort', end);
    end();
  }
}

/** The path of the program, and an environment with the same trusted PATH for its children. */
export function prepareProgram({
  program,
  folder,
  outside = [],
  env = cleanEnvironment(),
}: Pick<Program, 'program' | 'folder' | 'outside' | 'env'>) {
  const around = [findOwnFolder(), folder, ...outside].filter((one) => one !== undefined);
  const trusted = trustPath(around, env.PATH ?? process.env.PATH);
  const file = isAbsolute(program) ? program : findIn(program, trusted);
  if (file === undefined) throw missingProgramError(program);
  // On Windows names of variables have more than one form.
  const others = Object.entries(env).filter(([name]) => name.toUpperCase() !== 'PATH');
  const path = trusted.folders.join(delimiter);
  // An empty one means the folder one is in.
  return { file, env: { ...Object.fromEntries(others), ...(path !== '' && { PATH: path }) } };
}

/** Undefined if it was removed. */
function findOwnFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/**
 * Lines without their ends, in batches as they arrive, because one step per line would be slow. Lines longer than
 * `maxLine` characters are truncated, so that memory is bounded.
 */
export async function* streamLines(run: Program, maxLine = 1 << 20): AsyncGenerator<string[], void, void> {
  let rest = '';
  let isCut = false;
  for await (const part of streamProgram(run)) {
    const [first = '', ...others] = part.split('\n');
    if (!isCut) rest += first;
    isCut = rest.length > maxLine;
    if (others.length === 0) continue;
    const next = others.pop() as string;
    yield [rest, ...others].map((line) => cutLine(line, maxLine));
    rest = next;
    isCut = rest.length > maxLine;
  }
  if (rest !== '') yield [cutLine(rest, maxLine)];
}

function cutLine(line: string, maxLine: number): string {
  const whole = line.length > maxLine ? line.slice(0, maxLine) : line;
  return whole.endsWith('\r') ? whole.slice(0, -1) : whole;
}

/** The whole output, for short ones. */
export async function runProgram(run: Program): Promise<string> {
  const parts: string[] = [];
  for await (const part of streamProgram({ maxBytes: 1 << 20, ...run })) parts.push(part);
  return parts.join('');
}

interface Watch {
  /** Why it was ended. */
  readonly late: string | undefined;
  heard(): void;
  pause(): void;
  resume(): void;
}

function createWatch({ silenceMs, timeoutMs }: { silenceMs: number; timeoutMs: number }, end: () => void): Watch {
  let late: string | undefined;
  let left = timeoutMs;
  let since = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    since = performance.now();
    const isSilence = silenceMs <= left;
    timer = setTimeout(
      () => {
        late = isSilence ? `printed nothing for ${silenceMs} ms` : `took longer than ${timeoutMs} ms`;
        end();
      },
      Math.min(silenceMs, left),
    );
  };
  const pause = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    left = Math.max(0, left - (performance.now() - since));
  };
  start();
  return {
    get late() {
      return late;
    },
    heard() {
      if (timer === undefined) return;
      pause();
      start();
    },
    pause,
    resume: start,
  };
}

function explain(run: Program, action: string, end: number | Error, complaint: string): LoreError {
  const { program } = run;
  if (typeof end === 'number') {
    const explained = run.explain?.(end, complaint);
    if (explained) return explained;
    const cause = new Error(complaint);
    return new LoreError('unavailable', `Cannot ${action}: ${program} ended with status ${end}`, { cause });
  }
  return explainStart(program, end);
}
