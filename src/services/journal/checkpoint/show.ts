// Checkpoints for a person at a terminal.
import { describeTime, hangText, joinFacts, type Style } from '../../../core/text/terminal.ts';
import type { CheckpointView } from './checkpoint.ts';

export function showCheckpoints(checkpoints: readonly (CheckpointView & { excerpt?: string })[], style: Style): string {
  const { bold, dim, width, now } = style;
  return checkpoints
    .flatMap(({ name, summary, created, branch, commit, session, automatic, excerpt = '', id }) => {
      const saved = automatic ? 'saved automatically' : undefined;
      const facts = [
        describeTime(created, now),
        saved,
        branch,
        commit?.slice(0, 10),
        session && `session ${session}`,
        id,
      ];
      return [
        ...hangText('', name, width).map(bold),
        ...(summary === '' || summary === name ? [] : hangText('  ', summary, width)),
        ...(excerpt === '' || excerpt === summary ? [] : hangText('  ', excerpt, width).map(dim)),
        ...joinFacts(facts, width - 2).map((line) => `  ${dim(line)}`),
      ];
    })
    .join('\n');
}
