// Waiting for work that goes on in the background, with a bar on a terminal.
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../app.ts';
import { LoreError } from '../core/error.ts';
import { showHidden } from '../core/fence.ts';
import type { Output } from './output.ts';

const lookEveryMs = 50;
const barWidth = 30;

/** What came of it; a failure is thrown. */
export async function followOperation(app: App, id: string, output: Output): Promise<unknown> {
  const { operations, worker } = await app.graph.open();
  worker.wake();
  const bar = createBar();
  for (;;) {
    const operation = await operations.get(id);
    if (!operation) throw new LoreError('not_found', `Cannot follow "${id}": there is no such operation`);
    const { state, done, total, message, result, problem } = operation;
    bar.show(done, total, message);
    if (state === 'queued' || state === 'running') {
      await sleep(lookEveryMs);
      continue;
    }
    bar.clear();
    if (state !== 'done') throw new LoreError('unavailable', `Cannot finish "${id}": ${problem ?? `it is ${state}`}`);
    if (!output.json) output.print(describeResult(result));
    return result;
  }
}

export function createBar() {
  const visible = process.stderr.isTTY === true;
  return {
    show(done: number, total: number | undefined, message: string) {
      if (!visible || total === undefined || total === 0) return;
      const filled = Math.round((barWidth * done) / total);
      const line = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${done}/${total} ${message}`;
      process.stderr.write(`\r\u001b[K${line}`);
    },
    clear() {
      if (visible) process.stderr.write('\r\u001b[K');
    },
  };
}

/** A list of what was kept reads as lines; anything else as JSON. */
function describeResult(result: unknown): string {
  const { kept, dropped } = (result ?? {}) as { kept?: unknown; dropped?: Record<string, number> };
  if (!Array.isArray(kept)) return JSON.stringify(result, undefined, 2);
  const lines = kept.map(
    ({ id, text, reason, action }) => `${action === 'merged' ? '=' : '+'} ${showHidden(text)}  (${reason}, ${id})`,
  );
  const left = Object.entries(dropped ?? {}).map(([reason, count]) => `${count} ${reason}`);
  return [`Kept ${kept.length}${left.length > 0 ? `, left out ${left.join(', ')}` : ''}`, ...lines].join('\n');
}
