// Child processes, bounded: every one has a time limit and a process group of its own, and none outlives this program.
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { findGroup } from './processes.mjs';

const GRACE_MS = 5_000;
const INSIST_MS = 1_000;
const groups = new Set();

process.on('exit', () => {
  for (const group of groups) killGroup(group);
});
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

function killGroup(group) {
  groups.delete(group);
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // Already empty.
  }
}

function startChild(command, args, { cwd, env, stdin }) {
  const child = spawn(command, args, { cwd, env, detached: true, stdio: [stdin, 'pipe', 'pipe'] });
  if (child.pid !== undefined) groups.add(child.pid);
  child.stdin?.on('error', () => {}); // A client may leave before it has read everything.
  const output = { stdout: '', text: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (chunk) => {
      const clean = stripVTControlCharacters(chunk);
      output.text += clean;
      if (name === 'stdout') output.stdout += clean;
    });
  }
  return { child, output };
}

/** The command in a terminal of its own, for programs that ask people only there. */
export function inTerminal(command) {
  const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const sized = `stty cols 150 rows 50; exec ${quoted}`;
  return process.platform === 'linux'
    ? ['script', '-qec', sized, '/dev/null']
    : ['script', '-q', '/dev/null', 'sh', '-c', sized];
}

/**
 * Runs a program to its end. With a `dialogue` its stdin stays open, because some clients take the end of their input
 * for a wish to stop: each text is said, its answer awaited, and then the next; after the last the input ends. A text may be a
 * function of the output so far, and is repeated every second if the turn `insists`.
 * `lingered` names what was left behind in its group.
 */
export async function runChild(command, args, { cwd, env, timeoutMs, dialogue }) {
  const { child, output } = startChild(command, args, { cwd, env, stdin: dialogue ? 'pipe' : 'ignore' });
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, failure: error.message }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  if (dialogue) holdDialogue(child, output, dialogue);
  const bound = new AbortController();
  const timeout = pause(timeoutMs, { failure: `no end within ${timeoutMs / 1000} s` }, { signal: bound.signal });
  const end = await Promise.race([ended, timeout.catch(() => undefined)]);
  bound.abort();
  const lingered = end.failure ? [] : await settleGroup(child.pid);
  if (child.pid !== undefined) killGroup(child.pid);
  await Promise.race([closed, pause(1_000)]);
  return { ...end, ...output, lingered };
}

function holdDialogue(child, output, dialogue) {
  const turns = [...dialogue];
  const speak = ({ say }) => child.stdin.write(typeof say === 'function' ? say(output.text) : say);
  const takeTurn = () => {
    while (turns.length > 0 && turns[0].until.test(output.text)) {
      turns.shift();
      if (turns.length > 0) speak(turns[0]);
      else leave();
    }
  };
  // A program on a screen may not listen yet when it shows its question.
  const insisting = setInterval(() => turns[0]?.insists && speak(turns[0]), INSIST_MS).unref();
  const leave = () => {
    clearInterval(insisting);
    child.stdin.end();
    setTimeout(() => child.kill('SIGTERM'), 1_000).unref();
  };
  speak(turns[0]);
  child.stdout.on('data', takeTurn);
  child.stderr.on('data', takeTurn);
}

async function settleGroup(group) {
  const deadline = Date.now() + GRACE_MS;
  for (;;) {
    const left = findGroup(group) ?? [];
    if (left.length === 0 || Date.now() > deadline) return left.map((one) => one.command);
    await pause(50);
  }
}

/** Starts a service and waits until it takes connections on `port`. */
export async function startService(command, args, { cwd, env, port, timeoutMs = 30_000 }) {
  const { child, output } = startChild(command, args, { cwd, env, stdin: 'ignore' });
  let failure;
  child.once('error', (error) => {
    failure = error.message;
  });
  child.once('exit', (code, signal) => {
    failure ??= `ended with ${code ?? signal}`;
  });
  const deadline = Date.now() + timeoutMs;
  while (!(await acceptsOn(port))) {
    if (failure === undefined && Date.now() > deadline) failure = `nothing on port ${port} after ${timeoutMs / 1000} s`;
    if (failure !== undefined) {
      if (child.pid !== undefined) killGroup(child.pid);
      throw new Error(`Cannot start "${[command, ...args].join(' ')}": ${failure}\n${output.text}`);
    }
    await pause(50);
  }
  return { output, close: () => killGroup(child.pid) };
}

function acceptsOn(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

export function findFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
