// What was said, out of the transcripts that programs keep as JSON Lines: texts of the user and the agent, without tools,
// thinking, and what programs and hooks (ours among them) have put in between.

import { isObject } from '../core/schema.ts';
import { readSaid } from '../core/text/said.ts';

export interface Said {
  role: 'user' | 'assistant';
  content: string;
  timestamp?: string;
}

export function readTranscript(lines: string): Said[] {
  return lines.split('\n').flatMap((line) => {
    const said = line.startsWith('{') ? readLine(line) : undefined;
    return said ? [said] : [];
  });
}

function readLine(line: string): Said | undefined {
  let told: unknown;
  try {
    told = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(told) || told.isMeta === true || told.isSidechain === true || told.isCompactSummary === true)
    return undefined;
  const message = unwrap(told);
  const role = roles[String(message.role ?? told.role ?? told.type)];
  if (role === undefined || message.content === undefined) return undefined;
  return writeDown(role, textOf(message.content), told.timestamp);
}

/** Nothing where only marks of the program were. */
export function writeDown(role: Said['role'], text: string, timestamp?: unknown): Said | undefined {
  const content = readSaid(text).trim();
  if (content === '') return undefined;
  return { role, content, ...(typeof timestamp === 'string' && { timestamp }) };
}

/**
 * The message itself: Claude Code and Cursor have it in `message`, Codex in `payload`, Windsurf under its type. Claude Code
 * also writes down what it sent to the model, in lines of another type: there everything is said a second time.
 */
function unwrap(told: Record<string, unknown>): Record<string, unknown> {
  if (isObject(told.message)) return roles[String(told.type ?? told.role)] ? told.message : {};
  if (isObject(told.payload)) return told.payload.type === 'message' ? told.payload : {};
  if (isObject(told.user_input)) return { role: 'user', content: told.user_input.user_response };
  if (isObject(told.planner_response)) return { role: 'assistant', content: told.planner_response.response };
  return told;
}

const roles: Readonly<Record<string, Said['role']>> = { user: 'user', assistant: 'assistant' };

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter((part) => isObject(part) && ['text', 'input_text', 'output_text'].includes(String(part.type)))
    .map((part) => String(part.text))
    .join('\n\n');
}
