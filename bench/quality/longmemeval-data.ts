// LongMemEval-S as it lies in the shared data: questions, each with its own haystack of dated sessions.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Session, Turn } from './conversations.ts';

export interface Question {
  id: string;
  type: string;
  question: string;
  at: number;
  gold: readonly string[];
  haystack: readonly Session[];
}

interface RawQuestion extends Omit<Question, 'at' | 'haystack'> {
  date: string;
  haystack: [string, string][];
}

export function readQuestions(data: string, split: string): Question[] {
  const folder = join(data, 'longmemeval');
  const raw = JSON.parse(readFileSync(join(folder, `${split}.json`), 'utf8')) as RawQuestion[];
  const needed = new Set(raw.flatMap(({ haystack }) => haystack.map(([id]) => id)));
  const talks = new Map<string, Turn[]>();
  // On line feeds only: some texts contain U+2028.
  for (const line of gunzipSync(readFileSync(join(folder, 'sessions.ndjson.gz')))
    .toString('utf8')
    .split('\n')) {
    if (!needed.has(line.slice(2, line.indexOf('"', 2)))) continue;
    const [id, turns] = JSON.parse(line) as [string, ['u' | 'a', string][]];
    const spoken = turns.filter(([, text]) => text.trim() !== '');
    talks.set(
      id,
      spoken.map(([role, text], at) => ({ id: `${id}:${at}`, speaker: role === 'u' ? 'user' : 'assistant', text })),
    );
  }
  return raw.map(({ haystack, date, ...rest }) => ({
    ...rest,
    at: readTime(date),
    // A session may stand twice in a haystack; it is put once.
    haystack: [...new Map(haystack)].map(([id, when]) => ({ id, at: readTime(when), turns: talks.get(id) ?? [] })),
  }));
}

/** `2023/05/20 (Sat) 00:39` */
function readTime(date: string): number {
  const [, day, time] = /^(\S+) \(\w+\) (\S+)$/.exec(date) ?? [];
  return Date.parse(`${day?.replaceAll('/', '-')}T${time}:00Z`);
}
