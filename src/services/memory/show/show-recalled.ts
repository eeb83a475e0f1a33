// Results of recall, for a person at a terminal.
import { hangText, inOneLine, moreLine, type Style } from '../../../core/text/terminal.ts';
import type { FullEntry } from '../full-entry.ts';
import type { ShownMemory } from './show.ts';
import { showWhole } from './show-entry.ts';
import { listMemories } from './show-list.ts';

export const nothingKnown = 'Nothing is known about that.';
export const nothingRelevant = 'Nothing relevant is known.';

interface Recalled {
  memories: readonly ShownMemory[];
  nearest?: { id: string; text: string } | undefined;
  time?: string | undefined;
  notice?: string | undefined;
  next_cursor?: string | undefined;
  whole?: FullEntry | undefined;
}

export function showRecalled(recalled: Recalled, style: Style): string {
  const { memories, nearest, time, notice, next_cursor: next, whole } = recalled;
  if (whole) return showWhole(whole, next, style);
  if (memories.length === 0) {
    const near = nearest && hangText('Nearest: ', `${inOneLine(nearest.text)} (${nearest.id})`, style.width);
    const question = notice === undefined ? [] : hangText('', notice, style.width);
    return [near ? nothingRelevant : nothingKnown, ...(near ?? []).map(style.dim), ...question].join('\n');
  }
  const lines = [listMemories(memories, style)];
  if (time !== undefined) lines.unshift(style.dim(`Memories of "${inOneLine(time)}" are preferred.`));
  if (next !== undefined) lines.push(style.dim(moreLine));
  return lines.join('\n');
}
