// Reads what KuzuMemory writes: the backup of `kuzu-memory memory export` ({schema_version, memories, archived}), the lists
// of its other commands, and arrays or lines of such memories.
import { isObject } from '../../../core/schema.ts';
import { type KnowledgeType, knowledgeTypes, type MemoryKind, memoryKinds } from '../kinds.ts';
import { readTime } from '../memory.ts';
import { classify } from '../text/classify.ts';
import { offer, type Piece } from './import-piece.ts';

type Fields = { readonly [key: string]: unknown };

/** Types of older versions; others are classified by their words. */
const olderTypes: Readonly<Record<string, MemoryKind>> = {
  identity: 'semantic',
  decision: 'semantic',
  pattern: 'procedural',
  solution: 'procedural',
  status: 'working',
};

/** Default importance of each type, which says nothing about a memory. */
const givenImportance: Readonly<Record<string, number>> = {
  episodic: 0.7,
  semantic: 1,
  procedural: 0.9,
  working: 0.5,
  sensory: 0.3,
  preference: 0.9,
};

export function readKuzu(text: string, now: number): Piece[] {
  const whole = parse(text);
  if (whole !== undefined) return readAny(whole, now);
  return text.split('\n').flatMap((line): Piece[] => {
    if (line.trim() === '') return [];
    const row = parse(line);
    return row === undefined ? [{ left: 'unreadable' }] : readAny(row, now);
  });
}

function readAny(value: unknown, now: number): Piece[] {
  if (Array.isArray(value)) return value.flatMap((one) => readAny(one, now));
  if (!isObject(value)) return [{ left: 'unreadable' }];
  const { memories, archived } = value;
  if (!Array.isArray(memories)) return [readMemory(value, now)];
  const old = Array.isArray(archived) ? archived : [];
  return [...readAny(memories, now), ...old.map((): Piece => ({ left: 'archived' }))];
}

function readMemory(row: Fields, now: number): Piece {
  const content = row.content ?? row.text ?? row.memory;
  if (typeof content !== 'string') return { left: 'unreadable' };
  // Commits are taken from git itself.
  if (row.source_type === 'git_sync') return { left: 'git history' };
  const kind = readKind(row.memory_type, content);
  const statedAt = readTime(row.created_at ?? row.timestamp);
  const until = readTime(row.valid_to);
  const isOver = until !== undefined && until <= now && row.memory_type !== 'episodic';
  if (isOver) return { left: 'expired' };
  const knowledge = knowledgeTypes.find((type) => type === row.knowledge_type && type !== 'note');
  return offer({
    text: content,
    kind,
    source: 'kuzu-memory',
    statedAt,
    ...(knowledge !== undefined && { knowledge: knowledge as KnowledgeType }),
    ...readWeights(row),
    ...(isWord(row.session_id) && { session: row.session_id.slice(0, 200) }),
    ...(isWord(row.project_tag) && { tags: [row.project_tag.slice(0, 64)] }),
  });
}

/** It classifies everything unknown as an episode, which would expire after a month, so these are classified by their words. */
function readKind(type: unknown, content: string): MemoryKind {
  const known = memoryKinds.find((kind) => kind === type && kind !== 'episodic');
  return known ?? olderTypes[String(type)] ?? classify(content).kind;
}

function readWeights({ importance, confidence, memory_type: type }: Fields) {
  return {
    ...(isShare(importance) && importance !== givenImportance[String(type)] && { importance }),
    ...(isShare(confidence) && { confidence }),
  };
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
