// Describes the result of a git sync to a person.
import { showHidden } from '../../../core/text/fence-hidden.ts';
import type { Synced } from './git-sync.ts';

export function describeSynced({
  branch,
  commits,
  kept,
  known,
  superseded,
  types,
  left,
  more,
  titles,
}: Synced): string {
  const verb = titles ? 'Would store' : 'Stored';
  const lines = [`${verb} ${kept} of ${commits} commits on ${branch}${list(types)}`];
  if (known > 0) lines.push(`Already known: ${known}`);
  if (superseded > 0) lines.push(`Replaced rewritten commits: ${superseded}`);
  if (Object.keys(left).length > 0) lines.push(`Skipped${list(left)}`);
  if (more) lines.push('There are older commits; use --limit or --since to include them.');
  if (kept + known > 0 && !titles) lines.push('Ask about the history with: lore query context "why …?"');
  for (const title of titles ?? []) lines.push(showHidden(`+ ${title}`));
  return lines.join('\n');
}

function list(counts: { readonly [word: string]: number }): string {
  const parts = Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([word, count]) => `${count} ${word}`);
  return parts.length > 0 ? `: ${parts.join(', ')}` : '';
}
