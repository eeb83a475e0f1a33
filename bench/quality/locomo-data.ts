// LoCoMo as published: long conversations of two people in dated sessions, and questions with the turns that answer
// them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Conversation {
  sessions: readonly { number: number; date: string; turns: readonly Spoken[] }[];
  questions: readonly { question: string; category: number; evidence: readonly string[] }[];
}

export interface Spoken {
  id: string;
  speaker: string;
  /** With what the picture shows, where the turn shares one. */
  text: string;
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
      const number = Number(/^session_(\d+)$/.exec(key)?.[1]);
      if (Number.isNaN(number)) return [];
      return [{ number, date: String(conversation[`${key}_date_time`]), turns: (value as RawTurn[]).map(readTurn) }];
    });
    sessions.sort((a, b) => a.number - b.number);
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

function readTurn({ dia_id, speaker, text, blip_caption }: RawTurn): Spoken {
  return { id: dia_id, speaker, text: blip_caption ? `${text} [${blip_caption}]` : text };
}

/** Some entries hold several: `D8:6; D9:17`. */
function readEvidence(evidence: readonly string[]): string[] {
  return [...new Set(evidence.flatMap((entry) => entry.split(/[;,\s]+/)).filter((id) => id !== ''))];
}
