// What recall found, for a person at a terminal.
import { inOneLine, type Style } from '../../../core/terminal.ts';
import type { Whole } from '../whole.ts';
import type { Shown } from './show.ts';
import { listMemories } from './show-list.ts';
import { showWhole } from './show-whole.ts';

interface Recalled {
  memories: readonly Shown[];
  time?: string | undefined;
  next_cursor?: string | undefined;
  whole?: Whole | undefined;
}

export function showRecalled({ memories, time, next_cursor: next, whole }: Recalled, style: Style): string {
  if (whole) return showWhole(whole, next, style);
  if (memories.length === 0) return 'Nothing is known about that.';
  const lines = [listMemories(memories, style)];
  if (time !== undefined) lines.unshift(style.dim(`Memories of "${inOneLine(time)}" are preferred.`));
  if (next !== undefined) lines.push(style.dim(`There are more: --cursor ${next}`));
  return lines.join('\n');
}
