// Which kind of memory a text is, what sort of knowledge, and how much it matters. These are labels: no kind expires. The
// passing kinds are given only to what calls itself passing: an event with its time, a task at hand, a machine's output.

import type { KnowledgeType, MemoryKind } from '../kinds.ts';
import { isEvent, isOutput, isTaskState } from './classify-passing.ts';
import { type Clause, readClause } from './extract-clause.ts';
import { findCue, isCommandWithPurpose, isHowto, type KeepReason, orderVerb } from './extract-keep.ts';
import { splitSentences } from './sentence.ts';

interface Classification {
  kind: MemoryKind;
  knowledge: KnowledgeType;
  /** 0 to 1. */
  importance: number;
  confidence: number;
}

const hour = 3_600_000;

/** How long learned memories of a kind are relevant, in ms; always if undefined. */
export const passesAfterMs: Readonly<Record<MemoryKind, number | undefined>> = {
  semantic: undefined,
  procedural: undefined,
  preference: undefined,
  episodic: 30 * 24 * hour,
  working: 24 * hour,
  sensory: 6 * hour,
};

/** Only the beginning of a long text is classified. */
const reach = 4_000;

export function classify(text: string): Classification {
  const start = text.slice(0, reach).trim();
  if (isOutput(start)) return { kind: 'sensory', knowledge: 'note', importance: 0.2, confidence: 0.8 };
  const sentences = splitSentences(start).filter(({ form }) => form !== 'code');
  const clauses = sentences.slice(0, 12).map((sentence) => readClause(sentence.text.slice(0, 1_000)));
  const cues = clauses.map(findCue);
  const whole = readClause(start.slice(0, 1_000));
  const [kind, confidence] = kindOf(clauses, cues, whole);
  const knowledge = knowledgeOf(whole, cues, kind);
  return { kind, knowledge, importance: weigh(whole, kind, knowledge, cues), confidence };
}

function kindOf(clauses: Clause[], cues: (KeepReason | undefined)[], whole: Clause): [MemoryKind, number] {
  const [first] = clauses;
  if (first === undefined) return ['semantic', 0.5];
  if (cues[0] === 'preference' || isWish(first)) return ['preference', 0.85];
  if (isProcedure(first, whole)) return ['procedural', 0.8];
  // One lasting statement among passing ones is reason enough to keep them all.
  if (clauses.every(isTaskState)) return ['working', 0.75];
  if (clauses.every((clause, i) => isEvent(clause) && isPassing(cues[i]))) return ['episodic', 0.75];
  return ['semantic', cues.some((cue) => cue !== undefined) || clauses.length > 1 ? 0.8 : 0.7];
}

/** A cue means that what happened still counts. */
function isPassing(cue: KeepReason | undefined): boolean {
  return cue === undefined || cue === 'howto';
}

function isWish({ low }: Clause): boolean {
  return /^please (?:always|never|only) (?:answer|reply|respond|write|use|keep|speak|talk|explain|show)\b|^(?:answer|reply|respond|call me|address me)\b/.test(
    low,
  );
}

function isProcedure(first: Clause, whole: Clause): boolean {
  const { low } = first;
  if (/^(?:steps?|procedure|instructions|how to|howto|recipe|runbook)\b.{0,80}:/.test(whole.low)) return true;
  if (/(?:^|\s)1[.)] .{3,300}\s2[.)] /s.test(whole.low)) return true;
  if (isHowto(first)) return true;
  if (/^first,? .{3,200}\bthen\b/.test(low)) return true;
  if (/^(?:when|if|once|after|before|whenever) [^,]{3,80}, (?:first |then |just |please )?\w+/.test(low)) {
    return orderVerb.test(low.slice(low.indexOf(', ') + 2));
  }
  const standing = /^(?:please )?(?:always|never|don't|do not|avoid)\b/.test(low);
  return !standing && orderVerb.test(low) && isCommandWithPurpose(first);
}

const architecture =
  /\b(?:consists? of|is composed of|talks? to|depends? on|layers?|architecture|microservices?|monolith|monorepo|deployables?|(?:primary|main) (?:database|store|queue)|database is|listens? on|runs? on|deployed (?:to|on)|hosted (?:on|at)|stored? in|(?:is|are) kept in|written in|is a .{2,30} app|communicates?|gateway|load balancer|event bus|schema|the .{2,30} service (?:uses|stores|owns|reads|writes)|behind (?:a|an|the|nginx|haproxy))\b/;
const convention =
  /\b(?:naming|named after|kebab-case|snake_case|camelcase|pascalcase|commit messages?|conventional commits|indentation|tabs|spaces|quotes|semicolons?|file names?|branch names?|prefix(?:ed)?|suffix|style guide|code style|convention|default exports?|named exports?|imports?|formatting|doc comments?|import order|in utc|test files?)\b/;
const pattern = /\b(?:pattern|idiom|whenever we|we wrap|approach|template|boilerplate|the way we|by wrapping|recipe)\b/;
const trouble =
  /\b(?:beware|careful|watch out|gotcha|caveat|pitfall|silently|without (?:any )?warning|chokes?|breaks?|misses|incompatible|fails? (?:when|if|on|because|with|unless)|leaks?|hangs?|crash(?:es|ed)?|(?:does not|doesn't|cannot|can't|won't) (?!need|use|have to)\w+|only after|race|workaround|root cause|turned out)\b/;

function knowledgeOf({ low }: Clause, cues: (KeepReason | undefined)[], kind: MemoryKind): KnowledgeType {
  const has = (reason: KeepReason) => cues.includes(reason);
  if (kind === 'working' || kind === 'episodic') return 'note';
  if (has('gotcha') || has('fix') || (trouble.test(low) && !has('rule') && !has('decision'))) return 'gotcha';
  if (convention.test(low) && (has('rule') || has('preference') || kind !== 'procedural')) return 'convention';
  if (has('rule') || /^(?:please )?(?:use|always|never|avoid|don't|do not|keep|prefer)\b/.test(low)) return 'rule';
  if (kind === 'procedural' || pattern.test(low)) return 'pattern';
  if (kind === 'preference') return 'note';
  return architecture.test(low) ? 'architecture' : 'note';
}

const weights: Record<KnowledgeType, number> = {
  rule: 0.8,
  gotcha: 0.7,
  architecture: 0.7,
  convention: 0.65,
  pattern: 0.6,
  note: 0.5,
};

function weigh({ low }: Clause, kind: MemoryKind, knowledge: KnowledgeType, cues: (KeepReason | undefined)[]): number {
  if (kind === 'working') return 0.3;
  let weight = kind === 'episodic' ? 0.4 : weights[knowledge];
  if (cues.includes('decision') || cues.includes('correction')) weight = Math.max(weight, 0.75);
  if (kind === 'preference') weight = Math.max(weight, 0.65);
  if (/\b(?:critical|crucial|important|security|must|never|production|data loss|breaking|secrets?)\b/.test(low))
    weight += 0.1;
  return Math.round(Math.min(1, weight) * 100) / 100;
}
