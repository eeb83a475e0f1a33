// Reads the texts of user and agent from transcripts in JSON Lines, without content that programs and hooks (also ours)
// inserted.
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
    const turn = line.startsWith('{') ? readLine(line) : undefined;
    return turn ? [turn] : [];
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

/** Undefined if only marks of the program are left. */
export function writeDown(role: TranscriptTurn['role'], text: string, timestamp?: string): TranscriptTurn | undefined {
  const content = stripInserted(text).trim();
  return content === '' ? undefined : { role, content, ...(timestamp !== undefined && { timestamp }) };
}
