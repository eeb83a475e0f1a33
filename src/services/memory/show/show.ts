// Memories for a model: fenced as data, each with its id, kind and date, within a token budget.
import { cutText, fitBudget } from '../../../core/text/budget.ts';
import { fenceAsData } from '../../../core/text/fence.ts';
import { labelMemory, type MemoryView } from '../memory.ts';

export interface ShownMemory extends MemoryView {
  score?: number | undefined;
  state?: 'fresh' | 'stale' | 'gone' | undefined;
  why?: string | undefined;
}

const states = {
  fresh: 'what it cites is unchanged',
  stale: 'STALE: what it cites has changed',
  gone: 'STALE: what it cites was moved or deleted',
} as const;

function textOf({ context, text }: MemoryView): string {
  return context === undefined ? text : `${context}\n${text}`;
}

function labelOf(shown: ShownMemory): string {
  const words = [labelMemory(shown)];
  if (shown.score !== undefined) words.push(`score ${shown.score.toFixed(2)}`);
  if (shown.state) words.push(states[shown.state]);
  if (shown.why) words.push(shown.why);
  return words.join(' · ');
}

/** As many as fit the budget, and at least one, truncated to the matching passage if necessary. */
export function takeFitting<T extends ShownMemory>(memories: readonly T[], budgetTokens: number, query = ''): T[] {
  const { kept } = fitBudget(memories, budgetTokens, (shown) => `${shown.id} ${labelOf(shown)}\n${textOf(shown)}`);
  return kept.map(({ item, cut }) =>
    cut ? { ...item, text: cutText(item.text, item.id, budgetTokens, { query }) } : item,
  );
}

export function fenceMemories(memories: readonly ShownMemory[]): string {
  return fenceAsData(memories.map((shown) => ({ id: shown.id, text: textOf(shown), label: labelOf(shown) })));
}
