// The automatic checkpoint of a conversation that is compacted or ends: the last requests and the last answer. A trivial
// conversation, in which no file was changed and little was asked, gets none.
import { readTail } from '../core/text/tail.ts';
import { openNamed } from '../files/open.ts';
import { showsEdits } from './edits.ts';
import type { HookInput } from './hook-event.ts';
import { readTranscript, type TranscriptTurn } from './transcript.ts';

/** Size of the end that is read; tool output fills most of it. */
const tailBytes = 1 << 20;
const askedLast = 6;
const longest = { name: 80, asked: 600, answered: 6_000 };

interface HandOver {
  name: string;
  content: string;
}

/** Undefined for a trivial conversation or without a transcript. */
export function draftCheckpoint(
  { transcript }: HookInput,
  isLeftOut: (turns: TranscriptTurn) => boolean = () => false,
): HandOver | undefined {
  if (transcript === undefined) return undefined;
  const { text, isWhole } = readEnd(transcript);
  const turns = readTranscript(text).filter((one) => !isLeftOut(one));
  // A transcript longer than this is not trivial.
  const isWork = !isWhole || isLong(turns) || showsEdits(text);
  return isWork ? writeHandOver(turns) : undefined;
}

const substantialTurns = 3;
const substantialLetters = 15;

function isLong(turns: readonly TranscriptTurn[]): boolean {
  const asked = turns.filter(({ role, content }) => role === 'user' && weigh(content) >= substantialLetters);
  return asked.length >= substantialTurns;
}

/** Counts letters and digits; a Chinese, Japanese or Korean character counts as three. */
function weigh(text: string): number {
  const dense = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu)?.length ?? 0;
  return (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) + 2 * dense;
}

function writeHandOver(turns: readonly TranscriptTurn[]): HandOver | undefined {
  const asked = turns.filter(({ role }) => role === 'user').map(({ content }) => content);
  const last = asked.at(-1);
  if (last === undefined) return undefined;
  const answered = turns.filter(({ role }) => role === 'assistant').at(-1)?.content;
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

function readEnd(path: string): { text: string; isWhole: boolean } {
  const file = openNamed(path);
  if (typeof file === 'string') return { text: '', isWhole: true };
  try {
    const { text, start } = readTail(file.fd, tailBytes);
    return { text, isWhole: start === 0 };
  } finally {
    file.close();
  }
}
