// One score for memories that were said together: the words of a memory with some of its neighbours', the words of its whole
// session, its meaning, and whether it is of the time asked for. The score is absolute: it does not depend on how good the
// best of the found is, so that a bound on it means the same for every question. The weights were chosen on the tuning split
// of bench/quality.

export interface Candidate {
  /** From 0 to 1 each: how far its words and its meaning are the question's. */
  match: number;
  likeness: number;
  /** How often each of the question's terms stands in it. */
  frequencies: readonly number[];
  /** The conversation it was said in; alone where there is none. */
  session?: string | undefined;
  /** Which of its conversation's memories it is. */
  place?: number | undefined;
  /** Said at the time that the question looks back on. */
  inTime?: boolean | undefined;
}

/** How much each says by itself, from 0 to 1. */
export interface RankWeights {
  /** Words of the memory itself and of what stands around it. */
  own: number;
  /** Words of the whole session. */
  session: number;
  meaning: number;
  /** A memory is often told on another day than it happened: its time says no more than this. */
  time: number;
  /** What a memory takes of the ones two before, one before, one after and two after: answers follow their questions. */
  around: readonly [number, number, number, number];
}

/** Everything around these is as good within the noise. */
export const chosen: RankWeights = {
  own: 1,
  session: 0.6,
  meaning: 0.7,
  time: 0.3,
  around: [0.2, 0.8, 0.7, 0.4],
};

const steps = [-2, -1, 1, 2];
/** A term that a session repeats says little more than one it has a few times. */
const saturation = 1;

/** A score for each, from 0 to 1: independent signs of the same thing, each of which alone may do. */
export function rankTogether(candidates: readonly Candidate[], weights: RankWeights = chosen): number[] {
  const own = addAround(candidates, weights.around);
  const sessions = scoreSessions(candidates);
  return candidates.map(({ likeness, inTime }, at) =>
    either(
      weights.own * (own[at] as number),
      weights.session * (sessions[at] as number),
      weights.meaning * likeness,
      inTime ? weights.time : 0,
    ),
  );
}

function either(...signs: readonly number[]): number {
  return 1 - signs.reduce((missing, sign) => missing * (1 - sign), 1);
}

function addAround(candidates: readonly Candidate[], around: RankWeights['around']): number[] {
  const byPlace = new Map<string, number>();
  for (const { session, place, match } of candidates) {
    if (session !== undefined && place !== undefined) byPlace.set(`${session}\n${place}`, match);
  }
  return candidates.map(({ session, place, match }) => {
    if (session === undefined || place === undefined) return match;
    const near = steps.map((step, at) => (around[at] as number) * (byPlace.get(`${session}\n${place + step}`) ?? 0));
    return either(match, ...near);
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
  const most = telling.reduce((sum, weight) => sum + weight, 0) || 1;
  const scores = new Map(
    [...sessions].map(([name, totals]) => [
      name,
      totals.reduce((sum, total, term) => sum + ((telling[term] as number) * total) / (total + saturation), 0) / most,
    ]),
  );
  return candidates.map((candidate, at) => scores.get(nameOf(candidate, at)) ?? 0);
}
