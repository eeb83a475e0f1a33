// Describes a resumed checkpoint and the changes since, for a model and for a person at a terminal.
import { countOf, describeTime, hangText, joinFacts, type Style, wrapText } from '../../../core/text/terminal.ts';
import type { Resumed } from './resume.ts';

export function describeChanges({ since }: Resumed): string {
  const { files, more, branch, commits, memories } = since;
  const lines = [
    ...(branch ? [`The branch was ${branch.was} and is ${branch.now}.`] : []),
    ...(commits ? [`${countOf(commits, 'commit was', 'commits were')} made.`] : []),
    ...files.map(({ path, state }) => `${state}: ${path}`),
    ...(more > 0 ? [`and ${countOf(more, 'more file')}`] : []),
    ...memories.map(({ id, text, state, by }) => `${state}${by === undefined ? '' : ` by ${by}`}: ${text} (${id})`),
  ];
  return lines.length === 0 ? 'No file or memory that it mentions has changed.' : lines.join('\n');
}

export function showResumed(result: Resumed, { bold, dim, width, now }: Style): string {
  const { name, summary, content, memories, created, branch, commit, id, automatic, newer } = result;
  const saved = automatic ? 'saved automatically' : undefined;
  const facts = [describeTime(created, now), saved, branch, commit?.slice(0, 10), id];
  return [
    ...hangText('', name, width).map(bold),
    ...joinFacts(facts, width - 2).map((line) => `  ${dim(line)}`),
    '',
    ...(content ?? summary).split('\n').flatMap((line) => wrapText(line, width)),
    ...(memories.length === 0 ? [] : ['', bold('Memories it cites')]),
    ...memories.flatMap(({ text }) => hangText('  ', text, width)),
    '',
    bold('Since then'),
    ...describeChanges(result)
      .split('\n')
      .flatMap((line) => hangText('  ', line, width)),
    ...(newer === undefined ? [] : ['', bold('Newer, saved automatically'), ...hangText('  ', newer, width)]),
  ].join('\n');
}
