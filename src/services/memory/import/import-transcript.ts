// Reads Claude Code's transcripts: the texts of user and agent, in slices to learn from. Tool results, inserted text, the
// program's own records and conversations of subagents are skipped.

import { isObject } from '../../../core/schema.ts';
import { stripInserted } from '../../../core/text/inserted.ts';
import { readMessage } from '../../../core/text/message.ts';

export interface Slice {
  /** Lines of {role, content, timestamp}, as `learn` reads them. */
  content: string;
  session: string;
  /** The folder of the conversation. */
  folder: string | undefined;
}

interface Said {
  line: string;
  session: string;
  folder: string | undefined;
}

/** Learned from in one go: small enough that its best sentences are not crowded out. */
const longestSlice = 24_000;
/** More was pasted. */
const longestTurn = 50_000;

export async function* readTranscript(lines: AsyncIterable<string>): AsyncGenerator<Slice> {
  let slice: Slice | undefined;
  for await (const line of lines) {
    const turn = readLine(line);
    if (!turn) continue;
    const fits =
      slice !== undefined &&
      slice.session === turn.session &&
      slice.folder === turn.folder &&
      slice.content.length + turn.line.length <= longestSlice;
    if (slice && fits) slice.content += turn.line;
    else {
      if (slice) yield slice;
      slice = { content: turn.line, session: turn.session, folder: turn.folder };
    }
  }
  if (slice) yield slice;
}

function readLine(line: string): Said | undefined {
  // Most of a transcript are records of other types; reading them all would cost more than everything else.
  if (!/"(?:user|assistant)"/.test(line)) return undefined;
  const row = parse(line);
  if (!isObject(row)) return undefined;
  const { speaker: role, text = '', at: timestamp } = readMessage(row) ?? {};
  const content = stripInserted(text);
  if ((role !== 'user' && role !== 'assistant') || content.trim() === '' || content.length > longestTurn)
    return undefined;
  const { sessionId, cwd } = row;
  return {
    line: `${JSON.stringify({ role, content, timestamp })}\n`,
    session: typeof sessionId === 'string' ? sessionId : '',
    folder: typeof cwd === 'string' && cwd !== '' ? cwd : undefined,
  };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
