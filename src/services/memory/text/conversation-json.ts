// Reads turns from JSON: arrays of {role, content}, JSONL of them, Claude Code's transcripts, and exports of ChatGPT, Claude
// and ShareGPT. Tool calls and results, thinking and system texts are skipped.
import { readJson } from '../../../core/json.ts';
import { isObject } from '../../../core/schema.ts';
import type { Steps } from '../../../core/steps.ts';
import { readMessage } from '../../../core/text/message.ts';
import { roleOf, type Turn } from './conversation-turn.ts';

type Fields = Record<string, unknown>;
const deepest = 6;
/** The values of a transcript of two megabytes. */
const heaviest = 400_000;
/** Lines read in one step; a long one is read on its own. */
const linesAtOnce = 200;
const longLine = 50_000;

/** The turns; undefined if the text is not JSON with turns. */
export function* readJsonTurns(text: string): Steps<Turn[] | undefined> {
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[') return undefined;
  const whole = parse(text);
  const turns = whole === undefined ? yield* readLines(text) : collectTurns(whole, 0);
  return turns === undefined || turns.length === 0 ? undefined : turns;
}

/** JSONL; a line cut off in the middle (a transcript still being written) is skipped, a text of other lines is none. */
function* readLines(text: string): Steps<Turn[] | undefined> {
  const turns: Turn[] = [];
  let read = 0;
  let other = 0;
  let looked = 0;
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    const line = text.slice(start, end);
    start = end + 1;
    if (++looked % linesAtOnce === 0 || line.length > longLine) yield;
    if (line.trim() === '') continue;
    const value = line.trimStart().startsWith('{') ? parse(line) : undefined;
    if (value === undefined) other++;
    else {
      read++;
      for (const turn of collectTurns(value, 0)) turns.push(turn);
    }
  }
  return read > other ? turns : undefined;
}

function parse(text: string): unknown {
  try {
    return readJson(text, heaviest);
  } catch {
    return undefined;
  }
}

function collectTurns(value: unknown, depth: number): Turn[] {
  if (depth > deepest) return [];
  if (Array.isArray(value)) return value.flatMap((each) => collectTurns(each, depth + 1));
  if (!isObject(value)) return [];
  const mapped = value.mapping;
  if (isObject(mapped)) return collectMapping(mapped);
  for (const name of ['messages', 'conversation', 'conversations', 'chat_messages', 'turns', 'history']) {
    if (Array.isArray(value[name])) return collectTurns(value[name], depth + 1);
  }
  const turn = readTurn(value);
  return turn === undefined ? [] : [turn];
}

/** ChatGPT's export: a tree of messages, ordered by time or else as in the file. */
function collectMapping(mapping: Fields): Turn[] {
  const messages = Object.values(mapping)
    .map((node) => (isObject(node) ? node.message : undefined))
    .filter(isObject);
  const timed = messages.every(({ create_time: time }) => typeof time === 'number' || time === null);
  if (timed) messages.sort((a, b) => Number(a.create_time ?? 0) - Number(b.create_time ?? 0));
  return messages.map(readTurn).filter((turn) => turn !== undefined);
}

function readTurn(record: Fields): Turn | undefined {
  const message = readMessage(record);
  if (message === undefined) return undefined;
  const role = roleOf(message.speaker);
  return role === 'machine' ? undefined : { role, ...message };
}
