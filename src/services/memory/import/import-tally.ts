// Counts the results of an import and reports them at the end.
import { showHidden } from '../../../core/text/fence-hidden.ts';

interface Imported {
  sources: number;
  /** Sources by their form. */
  formats: { [format: string]: number };
  kept: number;
  /** The same was known in other words, or from elsewhere. */
  merged: number;
  /** Imported before. */
  known: number;
  relations: number;
  left: { [reason: string]: number };
  /** What would be stored, in a dry run. */
  memories?: { text: string; context?: string }[];
}

export interface Tally {
  readonly imported: Imported;
  take(format: string): void;
  keep(action: 'stored' | 'merged' | 'superseded', text: string, context?: string): void;
  know(count?: number): void;
  relate(): void;
  leave(reason: string, count?: number): void;
}

/** Enough to judge by. */
const maxShown = 1_000;

export function createTally(dryRun: boolean): Tally {
  const imported: Imported = { sources: 0, formats: {}, kept: 0, merged: 0, known: 0, relations: 0, left: {} };
  if (dryRun) imported.memories = [];
  return {
    imported,
    take(format) {
      imported.sources++;
      imported.formats[format] = (imported.formats[format] ?? 0) + 1;
    },
    keep(action, text, context) {
      if (action === 'merged') return void imported.merged++;
      imported.kept++;
      if (imported.memories && imported.memories.length < maxShown) {
        imported.memories.push({ text, ...(context !== undefined && { context }) });
      }
    },
    know(count = 1) {
      imported.known += count;
    },
    relate() {
      imported.relations++;
    },
    leave(reason, count = 1) {
      imported.left[reason] = (imported.left[reason] ?? 0) + count;
    },
  };
}

export function describeImported({ kept, merged, known, relations, left, memories, formats }: Imported): string {
  const sources = Object.entries(formats).map(([format, count]) => `${count} ${format}`);
  const lines = [`${memories ? 'Would store' : 'Stored'} ${kept}, merged ${merged}, already known ${known}`];
  if (relations > 0) lines.push(`Relations: ${relations}`);
  const reasons = Object.entries(left).sort(([, a], [, b]) => b - a);
  if (reasons.length > 0) lines.push(`Skipped: ${reasons.map(([reason, count]) => `${count} ${reason}`).join(', ')}`);
  lines.push(`Read: ${sources.join(', ') || 'nothing'}`);
  for (const { text, context } of memories ?? []) lines.push(showHidden(`+ ${text}${context ? `  (${context})` : ''}`));
  return lines.join('\n');
}
