// Creates a node: redacted, with its hash and default values.
import { hashHex } from '../core/crypto.ts';
import { createId } from '../core/id.ts';
import { cleanDeep, redactText } from '../core/secret/redact.ts';
import type { Steps } from '../core/steps.ts';
import { foldText } from './duplicate/fold.ts';
import type { NewNode, Node } from './node.ts';

export function* createNodes(given: readonly NewNode[], at: number): Steps<Node[]> {
  const nodes: Node[] = [];
  for (const one of given) {
    nodes.push(yield* createNode(one, at));
    yield;
  }
  return nodes;
}

export function* createNode(given: NewNode, at: number): Steps<Node> {
  // First of all: a secret must reach neither disk nor index.
  const { text: title } = yield* redactText(given.title ?? '');
  const { text } = yield* redactText(given.text);
  const { text: source } = yield* redactText(given.source ?? '');
  const data = yield* cleanDeep(given.data ?? {});
  const { kind, project } = given;
  return {
    id: given.id ?? createId('n'),
    project,
    kind,
    title,
    text,
    data,
    importance: given.importance ?? 0.5,
    confidence: given.confidence ?? 1,
    source,
    createdAt: at,
    updatedAt: at,
    accessedAt: at,
    validFrom: given.validFrom ?? at,
    validTo: given.validTo,
    supersededBy: undefined,
    forgottenAt: undefined,
    hash: hashOf(kind, title, text),
    level: 'private',
  };
}

/** Memories whose words differ only in spacing, capital first letters or final punctuation have the same hash. */
export function hashOf(kind: string, title: string, text: string): string {
  return kind === 'memory' ? digest([kind, foldText(title), foldText(text)]) : exactHashOf(kind, title, text);
}

/** The hash of memories in earlier versions. */
export function exactHashOf(kind: string, title: string, text: string): string {
  return digest([kind, title, text]);
}

export function digest(parts: readonly string[]): string {
  return hashHex(JSON.stringify(parts));
}

/** Characters searched for entities; the rest changes little. */
const mentioning = 16_000;

/** The subject of a long text is at its beginning, the result at its end. */
export function skim(text: string, length = mentioning): string {
  return text.length <= length ? text : `${text.slice(0, length / 2)}\n${text.slice(-length / 2)}`;
}
