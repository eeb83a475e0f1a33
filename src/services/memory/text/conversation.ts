// Reads conversations: JSON and JSONL transcripts, labelled lines ("User: …", "## Assistant"), terminal transcripts.
// Unrecognised text is one passage, so that a wrong guess loses nothing.

import { runNow, type Steps } from '../../../core/steps.ts';
import { stripInserted } from '../../../core/text/inserted.ts';
import { readJsonTurns } from './conversation-json.ts';
import { readLabelledTurns } from './conversation-labels.ts';
import type { Conversation, Turn } from './conversation-turn.ts';

export type { Conversation, Role, Turn } from './conversation-turn.ts';

export function readConversation(text: string): Conversation {
  return runNow(readTurns(text));
}

export function* readTurns(text: string): Steps<Conversation> {
  const json = yield* readJsonTurns(text);
  yield;
  if (json !== undefined) return { form: 'json', turns: yield* cleanTurns(json) };
  const labelled = yield* readLabelledTurns(text);
  if (labelled !== undefined) return { form: 'labels', turns: yield* cleanTurns(labelled) };
  return { form: 'passage', turns: cleanTurn({ role: 'other', speaker: '', text }) };
}

/** Turns read or written in one step. */
const turnsAtOnce = 500;

function* cleanTurns(turns: readonly Turn[]): Steps<Turn[]> {
  const clean: Turn[] = [];
  for (const [at, turn] of turns.entries()) {
    clean.push(...cleanTurn(turn));
    if (at % turnsAtOnce === turnsAtOnce - 1) yield;
  }
  return clean;
}

function cleanTurn(turn: Turn): Turn[] {
  let text = cut(stripInserted(turn.text), '<!--', '-->');
  // Collapsed tool output in a Markdown transcript; in a passage it may be part of the document.
  if (turn.speaker !== '') text = cut(text, '<details', '</details>');
  return text.trim() === '' ? [] : [{ ...turn, text }];
}

/** An unclosed element removes nothing. */
function cut(text: string, opening: string, closing: string): string {
  let from = text.indexOf(opening);
  if (from < 0) return text;
  const kept: string[] = [];
  let at = 0;
  while (from >= 0) {
    const to = text.indexOf(closing, from);
    if (to < 0) break;
    kept.push(text.slice(at, from));
    at = to + closing.length;
    from = text.indexOf(opening, at);
  }
  kept.push(text.slice(at));
  return kept.join('\n');
}

/** The conversation as text that parses to the same turns, without private and inserted text. */
export function* writeConversation({ form, turns }: Conversation): Steps<string> {
  if (form === 'passage') return turns.map(({ text }) => text).join('\n');
  let written = '';
  for (const [number, { role, speaker, text, at }] of turns.entries()) {
    written += `${JSON.stringify({ role: speaker || role, content: text, timestamp: at })}\n`;
    if (number % turnsAtOnce === turnsAtOnce - 1) yield;
  }
  return written;
}
