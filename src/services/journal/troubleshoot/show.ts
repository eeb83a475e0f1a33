// The evidence about an error, for a person at a terminal.
import { describeTime, hangText, type Style, wrapText } from '../../../core/text/terminal.ts';
import type { ErrorEvidence } from './troubleshoot.ts';

export function showEvidence(found: ErrorEvidence, nothing: string, { bold, dim, width, now }: Style): string {
  const sections: [title: string, lines: string[]][] = [
    [
      'Earlier fixes',
      found.remediations.flatMap(({ error, solution, root_cause: cause, why, id }) => [
        ...hangText('  ', solution, width),
        ...(cause === undefined ? [] : hangText('  ', `root cause: ${cause}`, width)),
        ...hangText('  ', `${error} · ${why} · ${id}`, width).map(dim),
      ]),
    ],
    [
      'Memories',
      found.memories.flatMap(({ text, created, id }) => [
        ...hangText('  ', text, width),
        dim(`  ${describeTime(created, now)} · ${id}`),
      ]),
    ],
    [
      'Recent commits',
      found.commits.flatMap(({ commit, date, subject, files }) => [
        ...hangText('  ', subject, width),
        ...hangText('  ', `${describeTime(date, now)} · ${commit.slice(0, 10)} · ${files.join(', ')}`, width).map(dim),
      ]),
    ],
    ['Log', found.log.flatMap(({ file, line, text }) => hangText('  ', `${file}:${line}: ${text}`, width))],
  ];
  const filled = sections.filter(([, lines]) => lines.length > 0);
  if (filled.length === 0) return wrapText(nothing, width).join('\n');
  return [
    ...wrapText(found.headline, width).map(bold),
    ...filled.flatMap(([title, lines]) => ['', bold(title), ...lines]),
  ].join('\n');
}
