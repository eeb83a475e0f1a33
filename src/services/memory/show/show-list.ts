// Memories for a person at a terminal: the text first, details dimmed below.
import {
  describeTime,
  formatDate,
  hangText,
  inOneLine,
  joinFacts,
  type Style,
  wrapText,
} from '../../../core/text/terminal.ts';
import type { ShownMemory } from './show.ts';

const states = {
  fresh: 'what it cites is unchanged',
  stale: 'stale: what it cites has changed',
  gone: 'stale: what it cites was moved or deleted',
} as const;

export function listMemories(memories: readonly ShownMemory[], style: Style): string {
  const places = String(memories.length).length;
  return memories.flatMap((memory, at) => listMemory(memory, `${String(at + 1).padStart(places)}. `, style)).join('\n');
}

function listMemory(memory: ShownMemory, number: string, { dim, width, now }: Style): string[] {
  const indent = ' '.repeat(number.length);
  const below = (lines: readonly string[]) => lines.map((line) => indent + dim(line));
  const room = width - indent.length;
  return [
    ...hangText(number, memory.text, width),
    ...(memory.context === undefined ? [] : below(wrapText(`after: ${inOneLine(memory.context)}`, room))),
    ...below(joinFacts(factsOf(memory, now), room)),
    ...(memory.why === undefined ? [] : below(wrapText(memory.why, room))),
  ];
}

function factsOf(memory: ShownMemory, now: number): (string | undefined)[] {
  const { knowledge, kind, created, source, tags = [], expires, superseded_by: successor, project, id } = memory;
  const newer = memory.may_be_outdated_by;
  return [
    knowledge === 'note' ? kind : knowledge,
    describeTime(created, now),
    source && `from ${source}`,
    tags.map((tag) => `#${tag}`).join(' '),
    expires && successor === undefined ? `until ${formatDate(expires, now)}` : undefined,
    successor && `superseded by ${successor}`,
    newer && `may be outdated by ${newer}`,
    memory.state && states[memory.state],
    project && (project === 'user' ? 'about you' : `in ${memory.project_name ?? project}`),
    id,
    memory.score === undefined ? undefined : `score ${memory.score.toFixed(2)}`,
  ];
}
