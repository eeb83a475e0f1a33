// Conversations put through the tools, as an agent's program would: a turn or a session at a time by `remember`, or whole
// by `learn`. What recall gives back is traced to the turn and session it came from.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTools, removeDatabase, type Tools } from './tools.ts';

export interface Turn {
  id: string;
  /** "user" and "assistant", or a name. */
  speaker: string;
  text: string;
}

export interface Session {
  id: string;
  at: number;
  turns: readonly Turn[];
}

/** How conversations come in. */
export type Intake = 'turns' | 'sessions' | 'learn';

export interface Place {
  folder: string;
  /** Databases are left there and used again. */
  keep?: string | undefined;
}

/** Where something recalled came from. */
export interface Origin {
  session: string;
  turns: readonly string[];
}

/** What became of what was put in. */
export type Outcome = Record<'stored' | 'merged' | 'superseded' | 'lost', number>;

export interface Shelf {
  tools: Tools;
  outcome: Outcome;
  /** When the question is asked: then, or the day after the last session if that is later. */
  askAt(at: number): void;
  /** What the recall tool gives back, all pages of it, best first. */
  recall(query: string): Promise<Origin[]>;
  trace(memory: Traced): Origin | undefined;
}

interface Traced {
  id: string;
  text: string;
  session?: string | undefined;
  source?: string | undefined;
}

interface Filled {
  outcome: Outcome;
  /** What each memory was made of, where that was one turn. */
  turns: Record<string, { session: string; turn: string }>;
}

export function addOutcome(outcomes: Record<string, Outcome>, intake: string, outcome: Outcome): void {
  const sum = outcomes[intake] ?? { stored: 0, merged: 0, superseded: 0, lost: 0 };
  for (const key of Object.keys(sum) as (keyof Outcome)[]) sum[key] += outcome[key];
  outcomes[intake] = sum;
}

/** Puts the sessions in, lets questions be asked of them, and leaves nothing behind unless asked to. */
export async function withShelf<T>(
  place: Place,
  name: string,
  given: readonly Session[],
  intake: Intake,
  ask: (shelf: Shelf) => Promise<T>,
): Promise<T> {
  const sessions = [...given].sort((a, b) => a.at - b.at);
  const folder = place.keep ?? place.folder;
  mkdirSync(join(folder, 'project'), { recursive: true });
  const path = join(folder, `${name}-${intake}.db`);
  const known = place.keep !== undefined && existsSync(`${path}.json`);
  if (!known) removeDatabase(path);
  const tools = await openTools(path, join(folder, 'project'));
  try {
    const filled: Filled = known
      ? JSON.parse(readFileSync(`${path}.json`, 'utf8'))
      : await fill[intake](tools, sessions);
    await tools.settle();
    if (place.keep !== undefined) writeFileSync(`${path}.json`, JSON.stringify(filled));
    const after = (sessions.at(-1)?.at ?? 0) + 86_400_000;
    const askAt = (at: number) => tools.setTime(Math.max(at, after));
    askAt(after);
    const trace = createTrace(sessions, filled);
    const recall = (query: string) => recallAll(tools, query, trace);
    return await ask({ tools, outcome: filled.outcome, askAt, trace, recall });
  } finally {
    await tools.close();
    if (place.keep === undefined) removeDatabase(path);
  }
}

interface Remembered {
  action: 'stored' | 'merged' | 'superseded';
  id: string;
  superseded: { id: string }[];
}

const fill: Record<Intake, (tools: Tools, sessions: readonly Session[]) => Promise<Filled>> = {
  async turns(tools, sessions) {
    const filled = createFilled();
    for (const { id: session, at, turns } of sessions) {
      for (const [number, turn] of turns.entries()) {
        tools.setTime(at + number * 1_000);
        const args = { content: sayTurn(turn), session, source: turn.speaker };
        filled.turns[await remember(tools, args, filled)] ??= { session, turn: turn.id };
      }
    }
    return filled;
  },
  async sessions(tools, sessions) {
    const filled = createFilled();
    for (const { id: session, at, turns } of sessions) {
      tools.setTime(at);
      const content = writeDown(turns);
      if (content !== '') await remember(tools, { content, session, source: 'conversation' }, filled);
    }
    return filled;
  },
  async learn(tools, sessions) {
    const filled = createFilled();
    for (const { id, at, turns } of sessions) {
      tools.setTime(at);
      const content = writeDown(turns);
      if (content === '') continue;
      const { operation_id: operation } = await tools.call<{ operation_id: string }>('learn', { content, source: id });
      // One by one: what is learned is learned at its own time.
      await tools.opened.worker.idle();
      const learned = (await tools.opened.operations.get(operation))?.result as
        | { kept: { action: string }[] }
        | undefined;
      for (const { action } of learned?.kept ?? []) filled.outcome[action as Remembered['action']] += 1;
    }
    return filled;
  },
};

function createFilled(): Filled {
  return { outcome: { stored: 0, merged: 0, superseded: 0, lost: 0 }, turns: {} };
}

/** For good: whoever keeps conversations wants them for longer than what merely happened is kept by default. */
async function remember(tools: Tools, args: object, { outcome }: Filled): Promise<string> {
  const { action, id, superseded } = await tools.call<Remembered>('remember', { ...args, expires: 'never' });
  outcome[action] += 1;
  outcome.lost += superseded.length + (action === 'merged' ? 1 : 0);
  return id;
}

/** A name belongs to what is said; "user" and "assistant" tell nothing. */
function sayTurn({ speaker, text }: Turn): string {
  return /^(?:user|assistant)$/.test(speaker) ? text : `${speaker}: ${text}`;
}

function writeDown(turns: readonly Turn[]): string {
  return turns.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n\n');
}

function createTrace(sessions: readonly Session[], { turns }: Filled): Shelf['trace'] {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  return ({ id, text, session: named, source }) => {
    const known = turns[id];
    const session = byId.get(known?.session ?? named ?? source ?? '');
    if (!session) return undefined;
    if (known) return { session: session.id, turns: [known.turn] };
    // A sentence that was learned is part of what was said.
    const isFrom = ({ speaker, text: said }: Turn) =>
      readWords(said).includes(readWords(text.startsWith(`${speaker}: `) ? text.slice(speaker.length + 2) : text));
    return { session: session.id, turns: session.turns.filter(isFrom).map(({ id: turn }) => turn) };
  };
}

/** Without the dates that `learn` adds to relative times, and the capital letters it writes. */
function readWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/ \(\d{4}-[^)]*\)/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

export function traceAll({ trace }: Pick<Shelf, 'trace'>, memories: readonly Traced[]): Origin[] {
  return memories.flatMap((memory) => trace(memory) ?? []);
}

async function recallAll(tools: Tools, query: string, trace: Shelf['trace']): Promise<Origin[]> {
  const found: Origin[] = [];
  let cursor: string | undefined;
  do {
    const page = await tools.call<{ memories: Traced[]; next_cursor?: string }>('recall', {
      query,
      limit: 50,
      budget_tokens: 100_000,
      ...(cursor !== undefined && { cursor }),
    });
    found.push(...traceAll({ trace }, page.memories));
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return found;
}
