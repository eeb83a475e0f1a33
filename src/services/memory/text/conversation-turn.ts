// The words for a conversation, and which role a speaker's name means.

export type Role = 'user' | 'assistant' | 'other';

export interface Turn {
  role: Role;
  /** As the text names it; empty in a passage. */
  speaker: string;
  text: string;
  /** The time the transcript gives for the turn, as it is written there. */
  at?: string;
}

export interface Conversation {
  form: 'json' | 'labels' | 'passage';
  turns: Turn[];
}

const users = new Set(['user', 'human', 'me', 'prompt', 'customer', 'developer said', 'you', 'q', 'h']);
const assistants = new Set(
  'assistant,ai,bot,model,claude,claude code,chatgpt,gpt,gpt-4,gpt-4o,gpt-5,copilot,github copilot,gemini,codex,cursor,windsurf,agent,llm,response'.split(
    ',',
  ),
);

/** Who gives orders or shows output, and says nothing worth learning. */
const machines = new Set(['system', 'tool', 'function', 'developer', 'tool_result', 'tool_use', 'thinking']);

export function roleOf(speaker: string): Role | 'machine' {
  const name = speaker.trim().toLowerCase();
  if (users.has(name)) return 'user';
  if (assistants.has(name)) return 'assistant';
  // An agent's own agent works out of sight.
  return machines.has(name) || name.endsWith('sidechain') ? 'machine' : 'other';
}
