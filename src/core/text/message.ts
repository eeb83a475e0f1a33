// Reads one message of a transcript or chat export of any program. Only the conversation counts: tool calls and results,
// thinking, and the program's own records are omitted.
import { isObject } from '../schema.ts';

export interface TranscriptMessage {
  /** The role or name from the record. */
  speaker: string;
  text: string;
  at?: string;
}

type Fields = Record<string, unknown>;

const deepest = 6;
const spoken = ['text', 'input_text', 'output_text', 'multimodal_text'];

export function readMessage(record: Fields): TranscriptMessage | undefined {
  if (record.isMeta === true || record.isSidechain === true || record.isCompactSummary === true) return undefined;
  const message = unwrap(record);
  const speaker = findSpeaker(message) ?? findSpeaker(record);
  const text = textOf(message.content ?? message.text ?? message.value ?? message.parts, 0);
  if (speaker === undefined || text === undefined || text.trim() === '') return undefined;
  const at = [record.timestamp, record.created_at, record.create_time, message.timestamp].find(
    (time) => typeof time === 'string' || typeof time === 'number',
  );
  return { speaker, text, ...(at !== undefined && { at: String(at) }) };
}

/**
 * Claude Code and Cursor have the message in `message`, Codex in `payload`, Windsurf under its type. Claude Code also
 * records what it sent to the model, in lines of another type, which repeat everything.
 */
function unwrap(record: Fields): Fields {
  const { message, payload, user_input: input, planner_response: answer } = record;
  if (isObject(message)) {
    const { type = 'message', role = type } = record;
    return type === 'message' || type === (message.role ?? role) ? message : {};
  }
  if (isObject(payload)) return payload.type === 'message' ? payload : {};
  if (isObject(input)) return { role: 'user', content: input.user_response };
  if (isObject(answer)) return { role: 'assistant', content: answer.response };
  return record;
}

function findSpeaker({ role, author, sender, from, speaker, type }: Fields): string | undefined {
  const names = [role, isObject(author) ? author.role : author, sender, from, speaker, type];
  return names.find((name): name is string => typeof name === 'string' && name !== '' && name !== 'message');
}

function textOf(content: unknown, depth: number): string | undefined {
  if (typeof content === 'string') return content;
  if (depth > deepest) return undefined;
  if (Array.isArray(content)) {
    const parts = content.map((part) => textOf(part, depth + 1)).filter((part) => part !== undefined);
    return parts.length === 0 ? undefined : parts.join('\n\n');
  }
  if (!isObject(content)) return undefined;
  const type = content.type ?? content.content_type;
  if (type !== undefined && !spoken.includes(String(type))) return undefined;
  return textOf(content.text ?? content.parts ?? content.content, depth + 1);
}
