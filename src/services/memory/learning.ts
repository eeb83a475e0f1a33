// The background job of `learn`: extracts and stores facts, and skips those that are known, repeat the project's instruction
// files, or quote Lorekeeper's own results. It is idempotent.
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isObject } from '../../core/schema.ts';
import { runSoon } from '../../core/steps.ts';
import { readInside } from '../../files/inside.ts';
import type { OpenGraph } from '../../graph/open.ts';
import type { WholeOperation } from '../../graph/operation/operation.ts';
import type { Work } from '../../graph/operation/worker.ts';
import { nameNode, reopenScope, type Scope } from '../../graph/project/scope.ts';
import type { LearnInput } from './learn.ts';
import { readTime } from './memory.ts';
import { storeMemory } from './store-memory.ts';
import { readTurns } from './text/conversation.ts';
import { createEchoIndex } from './text/echo.ts';
import { type Fact, pickFacts } from './text/extract.ts';
import { dateRelativeTime } from './text/extract-finish.ts';

export interface Learned {
  kept: { id: string; text: string; reason: string; action: string }[];
  /** Number of skipped sentences, by reason. */
  dropped: { [reason: string]: number };
}

const instructionFiles = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.cursorrules', '.github/copilot-instructions.md'];
const longestInstructions = 200_000;
const longestSession = 200;

/** The scope of an operation of any caller. */
export function readLearner(opened: OpenGraph, { project, input }: WholeOperation): Promise<Scope> {
  const { root } = readInput(input);
  return reopenScope(opened, { id: project, name: basename(root), root, actor: 'learn' });
}

export async function learn(scope: Scope, work: Pick<Work, 'operation' | 'signal' | 'report'>): Promise<Learned> {
  const input = readInput(work.operation.input);
  const { kept: facts, dropped } = await chooseFacts(scope, input);
  const learned: Learned = { kept: [], dropped };
  // Turns of a conversation explain each other; sentences of a document do not.
  const isSaid = (await runSoon(readTurns(input.content))).form !== 'passage';
  for (const [at, fact] of facts.entries()) {
    // Questions come first.
    await nextTurn();
    work.signal.throwIfAborted();
    const { text, speaker, context, reason, confidence, statedAt } = fact;
    const id = input.key === undefined ? nameNode('n', work.operation.id, String(at)) : nameFact(input.key, fact.said);
    const source = input.source || 'learn';
    const session = isSaid && input.source !== '' ? input.source.slice(0, longestSession) : undefined;
    const said = { text, speaker, context, reason, confidence, statedAt };
    const kept = await storeMemory(scope, { ...said, id, source, session, learned: true });
    learned.kept.push({ id: kept.node.id, text: kept.node.text, reason, action: kept.action });
    await work.report(at + 1, facts.length);
  }
  return learned;
}

interface Chosen extends Fact {
  /** When it was stated, if it is dated. */
  statedAt?: number | undefined;
}

/** The facts of a text, and the number of skipped sentences by reason. */
export async function chooseFacts(
  { opened: { graph } }: Scope,
  { content, facts: picked, root, key }: LearnInput,
): Promise<{ kept: Chosen[]; dropped: Learned['dropped'] }> {
  const { facts, dropped } = picked ? { facts: picked, dropped: {} } : await runSoon(pickFacts(content));
  const instructions = createEchoIndex(await readInstructions(root));
  const counts: Learned['dropped'] = { ...dropped };
  const kept: Chosen[] = [];
  for (const fact of facts) {
    const at = readTime(fact.at);
    const statedAt = key === undefined ? undefined : at;
    const text = nameSpeaker(fact, dateRelativeTime(fact.text, at ?? graph.now()));
    const reason = instructions.covers(fact.text)
      ? 'instructions'
      : key !== undefined && (await graph.get(nameFact(key, fact.said)))
        ? 'known'
        : undefined;
    if (reason === undefined) kept.push({ ...fact, text, statedAt });
    else counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return { kept, dropped: counts };
}

/** Among several people, "I" and "you" mean nothing without a name. */
function nameSpeaker({ role, speaker }: Fact, text: string): string {
  const isNamed = role !== 'other' || speaker === '' || text.startsWith(`${speaker}: `);
  return isNamed ? text : `${speaker}: ${text}`;
}

/** Equal for the same words from the same text, wherever they occur in it. */
export function nameFact(key: string, text: string): string {
  return nameNode('n', 'import', key, text);
}

/** An unreadable instruction file must not fail the job. */
async function readInstructions(root: string): Promise<string[]> {
  if (root === '') return [];
  const texts = await Promise.all(instructionFiles.map((name) => readInside(root, name, longestInstructions)));
  return texts.map((text) => String(text ?? '')).filter((text) => text !== '');
}

function readInput(input: unknown): LearnInput {
  const { content, facts, source, root, key } = isObject(input) ? input : {};
  return {
    content: String(content ?? ''),
    ...(Array.isArray(facts) && { facts: facts as Fact[] }),
    source: String(source ?? ''),
    root: String(root ?? ''),
    ...(typeof key === 'string' && { key }),
  };
}
