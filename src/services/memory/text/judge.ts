// The probability that a sentence is worth storing: a linear model over its form (role, form, position, length, marks), its
// words, the line that introduces it, and the cues of `extract-keep.ts`. tools/learn/train.mjs computes the weights from
// labelled public transcripts and measures them on unseen repositories.
import type { Role } from './conversation-turn.ts';
import type { Clause } from './extract-clause.ts';
import { findCue, isHowto, isStandingOrder } from './extract-keep.ts';
import { weights } from './judge-weights.ts';
import type { Sentence } from './sentence.ts';

/** A sentence and its position. */
export interface Placed {
  sentence: Sentence;
  clause: Clause;
  role: Role;
  /** All sentences of its turn, and which of them it is. */
  all: readonly Sentence[];
  at: number;
  /** The heading or the line with a colon above it. */
  lead: string;
  /** No message precedes this turn. */
  isFirstTurn: boolean;
}

/** Only the beginning of a long sentence is read. */
const reach = 600;
const token = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}_'-]+|[`*:?!.(){}[\]→=<>/"]/gu;

/** By name, for training; the weights contain only hashes of the names. */
export function featuresOf({ sentence, clause, role, all, at, lead, isFirstTurn }: Placed): Map<string, number> {
  const features = new Map<string, number>();
  const add = (name: string, value = 1) => features.set(name, value);
  const own = (name: string, value: string | number | boolean = '') => add(`${name} ${role} ${value}`);
  const text = sentence.text.slice(0, reach);
  const words = wordsOf(text);
  const cue = findCue(clause);
  add(`cue ${cue}`);
  own('cue', cue);
  if (isHowto(clause)) add('howto');
  if (isStandingOrder(clause)) own('standing');
  own('form', sentence.form);
  own('ticks', Math.min(3, (text.match(/`[^`]+`/g) ?? []).length));
  own('length', Math.min(8, Math.floor(2 * Math.log2(words.length + 1))));
  own(
    'end',
    text
      .trimEnd()
      .at(-1)
      ?.replace(/[\p{L}\p{N}]/u, 'a') ?? '',
  );
  for (const [name, sign] of signs) if (sign.test(text)) own(name);
  own('place', at === 0 ? 'first' : at === all.length - 1 ? 'last' : at < 3 ? 'early' : 'middle');
  own('turn', `${isFirstTurn} ${Math.min(6, Math.floor(Math.log2(all.length)))}`);
  own('after', all[at - 1]?.form);
  own('before', all[at + 1]?.form);
  const different = new Set(words);
  for (const word of different) add(`word ${word}`, 1.5 / Math.sqrt(Math.max(4, different.size)));
  const [first = '', second = ''] = clause.tokens;
  add(`begins ${role} ${first}`, 0.7);
  add(`begins ${role} ${first} ${second}`, 0.7);
  for (const word of new Set(wordsOf(lead.slice(0, 100)))) add(`lead ${word}`, 0.4);
  return features;
}

const signs: readonly (readonly [string, RegExp])[] = [
  ['digit', /\d/],
  ['bold', /^\*\*/],
  ['capitals', /[A-Z]{2,}/],
  ['identifier', /[a-z][A-Z]|_|\w\.\w/],
  ['mark', /[✅❌🎉🎯🚀✓]/u],
  ['path', /[/\\]/],
];

function wordsOf(text: string): string[] {
  return (text.toLowerCase().replace(/[‘’]/g, "'").match(token) ?? []).map((word) => word.replace(/\d+/g, '0'));
}

/** For each sentence of a turn, the heading or the line with a colon above it. */
export function findLeads(all: readonly Sentence[]): string[] {
  let lead = '';
  return all.map(({ form, text }) => {
    const above = lead;
    if (form === 'heading' || /:[*_]*$/.test(text.slice(-4))) lead = text;
    return above;
  });
}

let known: Map<number, number> | undefined;

/** From 0 to 1. */
export function judge(placed: Placed): number {
  known ??= readWeights();
  let sum = weights.bias;
  for (const [name, value] of featuresOf(placed)) sum += (known.get(hashFeature(name)) ?? 0) * value;
  return 1 / (1 + Math.exp(-sum));
}

/** Four bytes each: the hash, and the weight in steps of 1/32. */
function readWeights(): Map<number, number> {
  const bytes = Buffer.from(weights.table, 'base64');
  const found = new Map<number, number>();
  for (let at = 0; at + 4 <= bytes.length; at += 4) found.set(bytes.readUIntLE(at, 3), bytes.readInt8(at + 3) / 32);
  return found;
}

/** FNV-1a, folded to 24 bits. */
export function hashFeature(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return ((hash >>> 24) ^ hash) & 0xffffff;
}
