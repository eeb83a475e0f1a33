// Compares what had to come with what came, in any order.

/** What is missing and what is too much; nothing where they are the same. */
export function compareOutcomes(expected: readonly string[], received: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const outcome of expected) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  for (const outcome of received) counts.set(outcome, (counts.get(outcome) ?? 0) - 1);
  const missing = [...counts].filter(([, count]) => count > 0).map(tell);
  const extra = [...counts].filter(([, count]) => count < 0).map(tell);
  if (missing.length === 0 && extra.length === 0) return undefined;
  return `expected ${list(missing)}, received ${list(extra)}`;
}

function tell([outcome, count]: [string, number]): string {
  const shown = outcome.length > 200 ? `${outcome.slice(0, 200)}…` : outcome;
  return Math.abs(count) === 1 ? shown : `${Math.abs(count)} x ${shown}`;
}

function list(outcomes: string[]): string {
  return outcomes.length === 0 ? 'nothing' : outcomes.slice(0, 8).join(' and ');
}
