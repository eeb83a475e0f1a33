// From hits on turns and on whole sessions to one ranking of either. Pure, and meant for the memory tools: once it is
// in src, the bench takes it from there.

export interface Share {
  /** As Graph.find ranks it alone. */
  score: number;
  /** From 0 to 1, of the best. */
  text: number;
  vector: number;
}

export interface Hits {
  /** The session of each turn; the turns of one are neighbours, in order. */
  groups: readonly number[];
  turns: readonly Share[];
  sessions: readonly Share[];
}

export interface RankWeights {
  /** Words of the turn itself and of what stands around it. */
  turn: number;
  /** Words of the whole session. */
  session: number;
  /** Meaning of the turn. */
  vector: number;
  /** What a turn takes of the ones two before, one before, one after and two after: answers follow their questions. */
  around: readonly [number, number, number, number];
  /** In a session the second-best turn counts this much of itself, the third that much again. */
  decay: number;
}

/** Chosen on the tune split: equal shares. Everything around it is as good within the noise (README.md). */
export const chosen: RankWeights = { turn: 0.5, session: 0.5, vector: 0.5, around: [0.2, 0.5, 0.3, 0.2], decay: 0.5 };

export function rankTurns({ groups, turns, sessions }: Hits, weights: RankWeights): number[] {
  const words = scaleToTop(addAround(turns, groups, weights.around));
  return turns.map(({ vector }, at) => {
    const whole = sessions[groups[at] as number]?.text ?? 0;
    return weights.turn * (words[at] as number) + weights.session * whole + weights.vector * vector;
  });
}

export function rankSessions({ groups, turns, sessions }: Hits, weights: RankWeights): number[] {
  const words: number[][] = sessions.map(() => []);
  const meaning = sessions.map(() => 0);
  for (const [at, { text, vector }] of turns.entries()) {
    const group = groups[at] as number;
    if (text > 0) words[group]?.push(text);
    meaning[group] = Math.max(meaning[group] as number, vector);
  }
  const decayed = scaleToTop(words.map((scores) => sumDecayed(scores, weights.decay)));
  return sessions.map(
    ({ text }, at) =>
      weights.turn * (decayed[at] as number) + weights.session * text + weights.vector * (meaning[at] as number),
  );
}

function addAround(turns: readonly Share[], groups: readonly number[], around: RankWeights['around']): number[] {
  const steps = [-2, -1, 1, 2];
  return turns.map(({ text }, at) =>
    steps.reduce((sum, step, index) => {
      const near = groups[at + step] === groups[at] ? (turns[at + step]?.text ?? 0) : 0;
      return sum + (around[index] as number) * near;
    }, text),
  );
}

function sumDecayed(scores: readonly number[], decay: number): number {
  return [...scores].sort((a, b) => b - a).reduce((sum, score, at) => sum + score * decay ** at, 0);
}

function scaleToTop(scores: readonly number[]): number[] {
  const top = scores.reduce((most, score) => Math.max(most, score), Number.MIN_VALUE);
  return scores.map((score) => score / top);
}
