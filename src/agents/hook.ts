// Handles hook events with the tools that a client would call. The caller must make sure that it fails open.
import { hidePrivate } from '../core/text/inserted.ts';
import { draftCheckpoint } from './auto-checkpoint.ts';
import type { Bookmarks } from './bookmark.ts';
import type { HookEvent, HookInput } from './hook-event.ts';
import { readTranscript, type TranscriptTurn, writeDown } from './transcript.ts';

/** A tool's structured result and its text. */
interface Answered {
  text: string;
  structured: { readonly [key: string]: unknown };
}

export type CallTool = (name: string, args: Record<string, unknown>) => Promise<Answered>;

/** Programs show their models about ten thousand characters of a hook's context. */
const budget = { prompt: 1_500, start: 2_000 };
/** Characters of a prompt used for the search; the rest of a long prompt is usually pasted. */
const maxAsked = 20_000;
/** Characters of a conversation that one call learns from. */
const maxLearned = 200_000;

/** The context to add, if there is any. */
export async function findContext(
  { moment }: HookEvent,
  input: HookInput,
  call: CallTool,
): Promise<string | undefined> {
  if (moment === 'prompt') return enhance(input, call);
  // A resumed conversation still contains the context from its start.
  if (moment !== 'start' || input.source === 'resume') return undefined;
  const [project, resumable] = await Promise.all([call('project', {}), findResumable(call)]);
  const { parts, notice } = project.structured;
  const isEmpty = Array.isArray(parts) && parts.length === 0;
  const brief = isEmpty && notice === undefined ? '' : cut(project.text.trim());
  return [brief, resumable].filter((part) => part !== '').join('\n\n') || undefined;
}

/** A new session is rarely about older work. */
const resumableMs = 14 * 86_400_000;

async function findResumable(call: CallTool): Promise<string> {
  // The tool may be disabled.
  const { text, structured } = await call('checkpoint_list', { latest: true }).catch(() => ({
    text: '',
    structured: {} as Answered['structured'],
  }));
  const [latest] = Array.isArray(structured.checkpoints) ? structured.checkpoints : [];
  if (latest === undefined || Date.parse(String(latest.created)) < Date.now() - resumableMs) return '';
  return `The latest checkpoint; checkpoint_resume returns it in full:\n${text}`;
}

/** Saves an automatic checkpoint unless the conversation was trivial; returns whether it did. */
export async function saveCheckpoint(
  input: HookInput,
  call: CallTool,
  isPaused: (at: number) => boolean = () => false,
): Promise<boolean> {
  const handOver = draftCheckpoint(input, ({ timestamp }) => isPaused(Date.parse(timestamp ?? '')));
  if (!handOver) return false;
  const { session } = input;
  await call('checkpoint_save', {
    ...handOver,
    metadata: { automatic: true },
    ...(session !== undefined && { session }),
  });
  return true;
}

async function enhance({ prompt = '' }: HookInput, call: CallTool): Promise<string | undefined> {
  // A command to the program is not a question to the agent.
  if (prompt.trim() === '' || prompt.startsWith('/')) return undefined;
  const { structured } = await call('enhance', {
    prompt: hidePrivate(prompt).slice(0, maxAsked),
    format: 'context',
    budget_tokens: budget.prompt,
  });
  const { relevant, text } = structured;
  return relevant === true && typeof text === 'string' ? text : undefined;
}

/** Closes the fence around truncated memories, so that later text does not seem to be one. */
function cut(text: string): string {
  const most = budget.start * 4;
  if (text.length <= most) return text;
  const [end = ''] = /\n<\/lore-data-[a-z0-9]+>$/.exec(text) ?? [];
  return `${text.slice(0, text.lastIndexOf('\n', most))}\n…${end}`;
}

/** Passes new turns to `learn`; returns whether there were any. */
export async function learn(input: HookInput, bookmarks: Bookmarks, call: CallTool): Promise<boolean> {
  const source = input.session === undefined ? 'conversation' : `conversation ${input.session}`;
  if (input.answer !== undefined) {
    const turns = [writeDown('user', input.prompt ?? ''), writeDown('assistant', input.answer)];
    return hand(
      turns.filter((one) => one !== undefined),
      source,
      call,
    );
  }
  if (input.transcript === undefined) return false;
  let isLearned = false;
  for (let piece = bookmarks.read(input.transcript); piece; piece = bookmarks.read(input.transcript)) {
    if (await hand(readTranscript(piece.lines), source, call)) isLearned = true;
    piece.keep();
  }
  return isLearned;
}

async function hand(turns: readonly TranscriptTurn[], source: string, call: CallTool): Promise<boolean> {
  let content = '';
  for (const one of turns) {
    const line = JSON.stringify(one);
    if (content !== '' && content.length + line.length > maxLearned) {
      await call('learn', { content, source });
      content = '';
    }
    content += `${line}\n`;
  }
  if (content !== '') await call('learn', { content, source });
  return content !== '';
}
