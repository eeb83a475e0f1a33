// What is written down of a conversation when it is cut short or ends, for whoever takes the work up: what was asked last,
// and what was answered last.
import { closeSync, openSync } from 'node:fs';
import { readTail } from '../core/tail.ts';
import type { HookInput } from './hook-event.ts';
import { readTranscript, type Said } from './transcript.ts';

/** The end of a transcript has what counts; tools fill most of it. */
const tailBytes = 1 << 20;
const askedLast = 6;
const longest = { name: 80, asked: 600, answered: 6_000 };

interface HandOver {
  name: string;
  content: string;
}

/** Nothing where nobody has said anything, or where there is no transcript to be read. */
export function readHandOver(
  { transcript }: HookInput,
  isLeftOut: (said: Said) => boolean = () => false,
): HandOver | undefined {
  if (transcript === undefined) return undefined;
  return writeHandOver(readTranscript(readEnd(transcript)).filter((said) => !isLeftOut(said)));
}

function writeHandOver(said: readonly Said[]): HandOver | undefined {
  const asked = said.filter(({ role }) => role === 'user').map(({ content }) => content);
  const last = asked.at(-1);
  if (last === undefined) return undefined;
  const answered = said.filter(({ role }) => role === 'assistant').at(-1)?.content;
  const requests = asked.slice(-askedLast).map((text) => `- ${cut(text, longest.asked).replaceAll('\n', '\n  ')}`);
  const parts = ['## Asked', requests.join('\n')];
  if (answered !== undefined) parts.push('## Answered last', cut(answered, longest.answered));
  return {
    name: cut((last.split('\n')[0] as string).trim() || last.trim(), longest.name),
    content: parts.join('\n\n'),
  };
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function readEnd(path: string): string {
  const handle = openSync(path, 'r');
  try {
    return readTail(handle, tailBytes).text;
  } finally {
    closeSync(handle);
  }
}
