// Formats results of remediation_search for a terminal: the fix first, details dimmed below.
import { describeTime, hangText, joinFacts, type Style, wrapText } from '../../../core/text/terminal.ts';
import type { FoundRemediation } from './search.ts';

export function showMatches(
  { remediations }: { remediations: readonly FoundRemediation[] },
  { bold, dim, width, now }: Style,
): string {
  if (remediations.length === 0) return 'No known fix.';
  const lines = remediations.flatMap((one, at) => {
    const number = `${at + 1}. `;
    const indent = ' '.repeat(number.length);
    const room = width - indent.length;
    const more = [
      one.root_cause && `root cause: ${one.root_cause}`,
      one.context && `context: ${one.context}`,
      one.files && `files: ${one.files.join(', ')}`,
      one.diff,
    ].flatMap((part) => (part ? wrapText(part, room) : []));
    const facts = [
      one.why,
      one.seen > 1 ? `seen ${one.seen} times` : undefined,
      describeTime(one.created, now),
      one.id,
      `score ${one.score.toFixed(2)}`,
    ];
    return [
      ...hangText(number, one.error, width).map(bold),
      ...wrapText(one.solution, room).map((line) => indent + line),
      ...[...more, ...joinFacts(facts, room)].map((line) => indent + dim(line)),
    ];
  });
  return lines.join('\n');
}
