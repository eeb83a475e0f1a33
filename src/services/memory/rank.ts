// Scores memories of conversations: the words of a memory and of its neighbours, the words of its session, its meaning, and
// whether it is from the time in the question. The score is absolute: it does not depend on the best result, so that a
// threshold means the same for every question. The weights were chosen on the tuning split of bench/quality.

export interface Candidate {
  /** From 0 to 1 each: how well its words and its meaning match the question. */
  match: number;
  likeness: number;
  /** How often each term of the question occurs in it. */
  frequencies: readonly number[];
  /** Its conversation, if any. */
  session?: string | undefined;
  /** Its index in the conversation. */
  place?: number | undefined;
  /** From the time that the question refers to. */
  inTime?: boolean | undefined;
}

/** Weight of each signal, from 0 to 1. */
export interface RankWeights {
  /** Words of the memory itself and of its neighbours. */
  own: number;
  /** Words of the whole session. */
  session: number;
  meaning: number;
  /** Low, because people often mention something on another day than it happened. */
  time: number;
  /** Shares of the scores of the neighbours at −2, −1, +1 and +2: answers follow their questions. */
  around: readonly [number, number, number, number];
}

/** Nearby values are equally good within the noise. */
export const chosen: RankWeights = {
  own: 1,
  session: 0.6,
  meaning: 0.7,
  time: 0.3,
  around: [0.2, 0.8, 0.7, 0.4],
};

const steps = [-2, -1, 1, 2];
/** Repetitions of a term in a session saturate. */
const saturation = 1;

interface RankScore {
  score: number;
  /** Its words and those of its neighbours, and those of its session. */
  around: number;
  standing: number;
}

/** Scores from 0 to 1 for each: the signals are independent, and each can be sufficient. */
export function rankTogether(candidates: readonly Candidate[], weights: RankWeights = chosen): RankScore[] {
  const own = addAround(candidates, weights.around);
  const sessions = scoreSessions(candidates);
  return candidates.map(({ likeness, inTime }, at) => {
    const [around, standing] = [own[at] as number, sessions[at] as number];
    const signals = [
      weights.own * around,
      weights.session * standing,
      weights.meaning * likeness,
      inTime ? weights.time : 0,
    ];
    return { score: either(...signals), around, standing };
  });
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
 * How well the words of each session match: a session with all the words beats one that repeats a single word, and words
 * that few sessions contain weigh more, however rare they are in single memories.
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
  const idf = having.map((count) => Math.log(1 + (sessions.size - count + 0.5) / (count + 0.5)));
  const most = idf.reduce((sum, weight) => sum + weight, 0) || 1;
  const scores = new Map(
    [...sessions].map(([name, totals]) => [
      name,
      totals.reduce((sum, total, term) => sum + ((idf[term] as number) * total) / (total + saturation), 0) / most,
    ]),
  );
  return candidates.map((candidate, at) => scores.get(nameOf(candidate, at)) ?? 0);
}
