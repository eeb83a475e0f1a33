// Waits for a background operation, with a progress bar on a terminal.

import type { App } from '../app.ts';
import type { Output } from '../core/command.ts';
import { LoreError } from '../core/error.ts';
import { isObject } from '../core/schema.ts';
import { showHidden } from '../core/text/fence.ts';
import { describeFacts } from '../core/text/terminal.ts';
import { followOperation } from '../graph/operation/follow.ts';

const barWidth = 30;

/** Returns the result; throws if the operation failed. */
export async function watchOperation(app: App, id: string, output: Output): Promise<unknown> {
  const bar = createBar();
  const { state, result, problem } = await followOperation(await app.graph.open(), id, ({ done, total, message }) =>
    bar.show(done, total, message),
  );
  bar.clear();
  if (state !== 'done') throw new LoreError('unavailable', `Cannot finish "${id}": ${problem ?? `it is ${state}`}`);
  if (!output.json) output.print(describeResult(result));
  return result;
}

export function createBar() {
  const visible = process.stderr.isTTY === true;
  const erase = () => void process.stderr.write('\r\u001b[K');
  // Ctrl-C leaves a clean line, then ends the process as usual.
  const interrupt = () => {
    erase();
    process.kill(process.pid, 'SIGINT');
  };
  let isDrawn = false;
  return {
    show(done: number, total: number | undefined, message: string) {
      if (!visible || total === undefined || total === 0) return;
      if (!isDrawn) process.once('SIGINT', interrupt);
      isDrawn = true;
      const filled = Math.round((barWidth * done) / total);
      const line = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${done}/${total} ${message}`;
      // A wrapped line could not be erased.
      process.stderr.write(`\r\u001b[K${showHidden(line).slice(0, (process.stderr.columns || 80) - 1)}`);
    },
    clear() {
      if (isDrawn) erase();
      isDrawn = false;
      process.off('SIGINT', interrupt);
    },
  };
}

/** A list is printed as lines, counts as pairs. */
function describeResult(result: unknown): string {
  const { kept, dropped } = (result ?? {}) as { kept?: unknown; dropped?: Record<string, number> };
  if (!Array.isArray(kept)) return isObject(result) ? describeFacts(result).join('\n') : JSON.stringify(result);
  const lines = kept.map(
    ({ id, text, reason, action }) => `${action === 'merged' ? '=' : '+'} ${showHidden(text)}  (${reason}, ${id})`,
  );
  const left = Object.entries(dropped ?? {}).map(([reason, count]) => `${count} ${reason}`);
  return [`Stored ${kept.length}${left.length > 0 ? `, skipped ${left.join(', ')}` : ''}`, ...lines].join('\n');
}
