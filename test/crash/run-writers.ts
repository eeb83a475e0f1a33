// Runs programs that write to one database and print the number of every write that was acknowledged; kills each of them
// without warning several times and starts it again after the last number it printed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { bundle } from '../support/bundle.ts';

interface Run {
  /** From the root. It gets the database, the writer's name, the first number and the number to stop at. */
  program: string;
  location: string;
  writers: number;
  writes: number;
  /** Of each writer. */
  kills: number;
  onAcknowledged?: (number: number) => void;
}

/** The numbers that each writer was acknowledged. */
export async function runWriters(run: Run): Promise<Set<number>[]> {
  const { writers, kills } = run;
  const program = await bundle(run.program, { format: 'esm', packages: 'external' });
  const names = Array.from({ length: writers }, (_, n) => `w${n}`);
  const done = await Promise.all(names.map((name) => runWriter(run, program, name)));
  // Some of the kills come when a writer is done.
  const killed = done.reduce((sum, one) => sum + one.killed, 0);
  expect(killed).toBeGreaterThanOrEqual(Math.min(kills, writers));
  return done.map(({ acknowledged }) => acknowledged);
}

async function runWriter({ location, writes, kills, onAcknowledged }: Run, program: string, writer: string) {
  const acknowledged = new Set<number>();
  const killAt = Array.from({ length: kills }, () => Math.floor(Math.random() * writes)).sort((a, b) => a - b);
  let killed = 0;
  for (let from = 0; from < writes; from = Math.max(-1, ...acknowledged) + 1) {
    const child = spawn(process.execPath, [program, location, writer, String(from), String(writes)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let problem = '';
    child.stderr.on('data', (part) => {
      problem += part;
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      acknowledged.add(Number(line));
      onAcknowledged?.(Number(line));
      if (Number(line) < (killAt[0] ?? Number.POSITIVE_INFINITY)) return;
      killAt.shift();
      child.kill('SIGKILL');
    });
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    if (signal === 'SIGKILL') killed++;
    if (signal !== 'SIGKILL' && code !== 0) throw new Error(`writer ${writer} failed: ${problem}`);
  }
  return { acknowledged, killed };
}
