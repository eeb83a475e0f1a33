// What was said, out of the transcripts that programs keep as JSON Lines: texts of the user and the agent, without what
// programs and hooks (ours among them) have put in between.
import { isObject } from '../core/schema.ts';
import { stripInserted } from '../core/text/inserted.ts';
import { readMessage } from '../core/text/message.ts';

export interface TranscriptTurn {
  role: 'user' | 'assistant';
  content: string;
  timestamp?: string;
}

export function readTranscript(lines: string): TranscriptTurn[] {
  return lines.split('\n').flatMap((line) => {
    const said = line.startsWith('{') ? readLine(line) : undefined;
    return said ? [said] : [];
  });
}

function readLine(line: string): TranscriptTurn | undefined {
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return undefined;
  }
  const { speaker, text = '', at } = (isObject(record) && readMessage(record)) || {};
  return speaker === 'user' || speaker === 'assistant' ? writeDown(speaker, text, at) : undefined;
}

/** Nothing where only marks of the program were. */
export function writeDown(role: TranscriptTurn['role'], text: string, timestamp?: string): TranscriptTurn | undefined {
  const content = stripInserted(text).trim();
  return content === '' ? undefined : { role, content, ...(timestamp !== undefined && { timestamp }) };
}
