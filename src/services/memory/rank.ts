// One ranking of memories that were said together: a memory has its own words with some of its neighbours', the words of
// its whole session, its meaning, and whether it is of the time asked for. Pure arithmetic; the weights were chosen on the
// tuning split of bench/quality.

export interface Candidate {
  /** From 0 to 1, of the best: as the search found it. */
  text: number;
  vector: number;
  /** How often each of the question's terms stands in it. */
  frequencies: readonly number[];
  /** Which of the sessions it belongs to; alone where there is none. */
  session?: string | undefined;
  /** Which of its session's memories it is. */
  place?: number | undefined;
  /** Said at the time that the question speaks of. */
  inTime?: boolean | undefined;
}

export interface RankWeights {
  /** Words of the memory itself and of what stands around it. */
  own: number;
  /** Words of the whole session. */
  session: number;
  meaning: number;
  /** What a memory is about is often told another day: its time speaks for it, and for no more than that. */
  time: number;
  /** What a memory takes of the ones two before, one before, one after and two after: answers follow their questions. */
  around: readonly [number, number, number, number];
}

/** About equal shares: everything around them is as good within the noise. */
export const chosen: RankWeights = { own: 0.5, session: 0.5, meaning: 0.4, time: 0.4, around: [0.3, 0.7, 0.5, 0.3] };

const steps = [-2, -1, 1, 2];
/** A term that a session has again and again tells little more than one it has a few times. */
const saturation = 1;

/** A score for each, from 0 to 1. Alone, a memory has nothing around it and is its own session. */
export function rankTogether(candidates: readonly Candidate[], weights: RankWeights = chosen): number[] {
  const own = scaleToTop(addAround(candidates, weights.around));
  const sessions = scoreSessions(candidates);
  const all = weights.own + weights.session + weights.meaning + weights.time;
  return candidates.map(({ vector, inTime }, at) => {
    const words = weights.own * (own[at] as number) + weights.session * (sessions[at] as number);
    return (words + weights.meaning * vector + (inTime ? weights.time : 0)) / all;
  });
}

function addAround(candidates: readonly Candidate[], around: RankWeights['around']): number[] {
  const byPlace = new Map<string, number>();
  for (const { session, place, text } of candidates) {
    if (session !== undefined && place !== undefined) byPlace.set(`${session}\n${place}`, text);
  }
  return candidates.map(({ session, place, text }) => {
    if (session === undefined || place === undefined) return text;
    return steps.reduce(
      (sum, step, index) => sum + (around[index] as number) * (byPlace.get(`${session}\n${place + step}`) ?? 0),
      text,
    );
  });
}

/**
 * How well the words of each one's session answer: a session that has all the words beats one that has one of them often,
 * and a word that few of the sessions have tells more than one that most have, however rare it is in single memories.
 */
function scoreSessions(candidates: readonly Candidate[]): number[] {
  const sessions = new Map<string, number[]>();
  const nameOf = ({ session }: Candidate, at: number) => session ?? `\n${at}`;
  for (const [at, candidate] of candidates.entries()) {
    const name = nameOf(candidate, at);
    const totals = sessions.get(name) ?? [];
    candidate.frequencies.forEach((frequency, term) => {
      totals[term] = (totals[term] ?? 0) + frequency;
    });
    sessions.set(name, totals);
  }
  const having: number[] = [];
  for (const totals of sessions.values()) {
    totals.forEach((total, term) => {
      having[term] = (having[term] ?? 0) + (total > 0 ? 1 : 0);
    });
  }
  const telling = having.map((count) => Math.log(1 + (sessions.size - count + 0.5) / (count + 0.5)));
  const scores = new Map(
    [...sessions].map(([name, totals]) => [
      name,
      totals.reduce((sum, total, term) => sum + ((telling[term] as number) * total) / (total + saturation), 0),
    ]),
  );
  return scaleToTop(candidates.map((candidate, at) => scores.get(nameOf(candidate, at)) ?? 0));
}

function scaleToTop(scores: readonly number[]): number[] {
  const top = scores.reduce((most, score) => Math.max(most, score), Number.MIN_VALUE);
  return scores.map((score) => score / top);
}
