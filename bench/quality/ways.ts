// The ways to rank that are compared: words alone, meaning alone, both, and each part of the whole by itself.
import { chosen, type Hits, type RankWeights, rankSessions, rankTurns, type Share } from './rank.ts';

export interface Way {
  name: string;
  /** Whether it is one of the three that `--only` chooses from; the others show what a part is worth. */
  main?: boolean;
  needsVectors?: boolean;
  rankTurns(hits: Hits): number[];
  rankSessions(hits: Hits): number[];
}

const still: RankWeights['around'] = [0, 0, 0, 0];

const ways: readonly Way[] = [
  { main: true, ...weigh('text', { vector: 0 }) },
  { main: true, needsVectors: true, ...weigh('vector', { turn: 0, session: 0 }) },
  { main: true, needsVectors: true, ...weigh('fused', {}) },
  { name: 'Graph.find, a node a turn, best turn', rankTurns: (hits) => scores(hits.turns), rankSessions: takeBest },
  { name: 'Graph.find, a node a session', rankTurns: spreadSession, rankSessions: (hits) => scores(hits.sessions) },
  weigh('words, a node a session', { turn: 0, vector: 0 }),
  weigh('words, a node a turn, best turn', { session: 0, vector: 0, around: still, decay: 0 }),
  weigh('words, a node a turn, neighbours or decayed sum', { session: 0, vector: 0 }),
  { needsVectors: true, ...weigh('fused without the session', { session: 0 }) },
  { needsVectors: true, ...weigh('fused without neighbours and decay', { around: still, decay: 0 }) },
];

function weigh(name: string, change: Partial<RankWeights>): Way {
  const weights = { ...chosen, ...change };
  return {
    name,
    rankTurns: (hits) => rankTurns(hits, weights),
    rankSessions: (hits) => rankSessions(hits, weights),
  };
}

function scores(shares: readonly Share[]): number[] {
  return shares.map(({ score }) => score);
}

function takeBest({ groups, turns, sessions }: Hits): number[] {
  const best = sessions.map(() => 0);
  for (const [at, { score }] of turns.entries()) {
    const group = groups[at] as number;
    best[group] = Math.max(best[group] as number, score);
  }
  return best;
}

function spreadSession({ groups, sessions }: Hits): number[] {
  return groups.map((group) => sessions[group]?.score ?? 0);
}

export function chooseWays(only: readonly string[] | undefined, hasVectors: boolean): Way[] {
  return ways.filter(
    ({ name, main, needsVectors }) => (hasVectors || !needsVectors) && (!only || (main && only.includes(name))),
  );
}
