// LoCoMo as published: long conversations of two people in dated sessions, and questions with the turns that answer
// them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Session, Turn } from './conversations.ts';

export interface Conversation {
  sessions: readonly Session[];
  questions: readonly { question: string; category: number; evidence: readonly string[] }[];
}

interface RawTurn {
  dia_id: string;
  speaker: string;
  text: string;
  blip_caption?: string;
}

interface RawConversation {
  conversation: Record<string, string | RawTurn[]>;
  qa: { question: string; category: number; evidence: string[] }[];
}

export function readConversations(data: string, split: string): Conversation[] {
  const raw = JSON.parse(readFileSync(join(data, 'locomo', `${split}.json`), 'utf8')) as RawConversation[];
  return raw.map(({ conversation, qa }) => {
    const sessions = Object.entries(conversation).flatMap(([key, value]) => {
      if (!/^session_\d+$/.test(key)) return [];
      const at = readTime(String(conversation[`${key}_date_time`]));
      return [{ id: key, at, turns: (value as RawTurn[]).map(readTurn) }];
    });
    const known = new Set(sessions.flatMap(({ turns }) => turns.map(({ id }) => id)));
    const questions = qa.map(({ question, category, evidence }) => ({
      question,
      category,
      evidence: readEvidence(evidence).filter((id) => known.has(id)),
    }));
    // A few keys name turns that do not exist.
    return { sessions, questions: questions.filter(({ evidence }) => evidence.length > 0) };
  });
}

/** With what the picture shows, where the turn shares one. */
function readTurn({ dia_id, speaker, text, blip_caption }: RawTurn): Turn {
  return { id: dia_id, speaker, text: blip_caption ? `${text} [${blip_caption}]` : text };
}

/** Some entries hold several: `D8:6; D9:17`. */
function readEvidence(evidence: readonly string[]): string[] {
  return [...new Set(evidence.flatMap((entry) => entry.split(/[;,\s]+/)).filter((id) => id !== ''))];
}

/** `1:56 pm on 8 May, 2023` */
function readTime(date: string): number {
  const [, time, half, day] = /^(\S+) (am|pm) on (.+)$/.exec(date) ?? [];
  return Date.parse(`${day} ${time} ${half} UTC`);
}
