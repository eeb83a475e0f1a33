// Describes the candidates of a search by numbers for the learned ranking: the scores of the search and their order, the
// similarity of single words, the candidate's surroundings in its conversation, and the form of its text. The same code
// describes the examples that the ranking learns from (tools/rank).
import { runNow, type Steps } from '../../core/steps.ts';
import type { StaticTable } from '../embed.ts';
import { coverQuery, pairWords, type QueryWords, readQuery, readWords } from './similar-words.ts';

export interface RankCandidate {
  text: string;
  /** The previous turn of its session, for the deep stage. */
  before?: string | undefined;
  /** Who said it, or where it comes from. */
  source: string;
  session?: string | undefined;
  /** Its index in the session. */
  place?: number | undefined;
  /** Whether it is from the time that the query refers to, if any. */
  inTime?: boolean | undefined;
  /** From 0 to 1 each. */
  score: number;
  match: number;
  likeness: number;
  coverage: number;
  /** With the words of its neighbours, and of its whole session. */
  around: number;
  standing: number;
}

/** Characters of a text and of a query that are read. */
const longestRead = 1_000;
const longestQuery = 2_000;
/** Number of first results whose words are expected in others. */
const firstHits = 5;
const similarFrom = 0.55;
const sameFrom = 0.99;

/** One row of numbers per candidate, in the order of `nameFeatures`. The candidates are sorted by score. */
export function describeCandidates(
  table: StaticTable,
  query: string,
  candidates: readonly RankCandidate[],
): Float32Array[] {
  return runNow(describeInSteps(table, query, candidates));
}

/** The same in steps: texts of rare words take long. */
export function* describeInSteps(
  table: StaticTable,
  query: string,
  candidates: readonly RankCandidate[],
): Steps<Float32Array[]> {
  const rows: Float32Array[] = [];
  for (const features of yield* gatherFeatures(table, query.slice(0, longestQuery), candidates)) {
    rows.push(new Float32Array(Object.values(features())));
    yield;
  }
  return rows;
}

export function nameFeatures(table: StaticTable): string[] {
  const one = { text: '', source: '', score: 0, match: 0, likeness: 0, coverage: 0, around: 0, standing: 0 };
  return Object.keys(runNow(gatherFeatures(table, '', [one]))[0]?.() as object);
}

/** One function per candidate, which computes its features. */
function* gatherFeatures(table: StaticTable, query: string, candidates: readonly RankCandidate[]) {
  const asked = readQuery(table, query);
  const words: number[][] = [];
  for (const { text } of candidates) {
    words.push(readWords(table, text.slice(0, longestRead)));
    yield;
  }
  const distinct = words.map((rows) => [...new Set(rows)]);
  const covered = yield* coverQuery(table, asked.rows, distinct);
  const weighed = (values: Float32Array) => weigh(values, asked.weights);
  const cover = covered.map(weighed);
  const texts = words.map((rows, at) => describeText((candidates[at] as RankCandidate).text, rows, table));
  yield;
  const feedback = measureFeedback(table, distinct);
  yield;
  const orders = {
    match: orderBy(candidates.map(({ match }) => match)),
    likeness: orderBy(candidates.map(({ likeness }) => likeness)),
    around: orderBy(candidates.map(({ around }) => around)),
    cover: orderBy(cover),
  };
  const sessions = gatherSessions(candidates, covered);
  const unions = new Map([...sessions].map(([name, { union }]) => [name, weighed(union)]));
  const byPlace = new Map(candidates.map(({ session, place }, at) => [`${session}\n${place}`, at]));
  const named = nameSpeakers(query, candidates);
  const about = describeQuery(query, asked);
  const most = {
    score: candidates[0]?.score ?? 0,
    cover: Math.max(0, ...cover),
    likeness: Math.max(0, ...candidates.map(({ likeness }) => likeness)),
    union: Math.max(0, ...unions.values()),
  };
  return candidates.map((one, at) => () => {
    const near = (step: number) =>
      one.place === undefined ? -1 : (byPlace.get(`${one.session}\n${one.place + step}`) ?? -1);
    const [before, after] = [near(-1), near(1)];
    const around = [near(-2), before, after, near(2)].filter((place) => place >= 0);
    const session = sessions.get(nameSession(one, at)) as SessionFeatures;
    const union = unions.get(nameSession(one, at)) as number;
    return {
      score: one.score,
      scoreShare: one.score / Math.max(most.score, 1e-6),
      order: Math.log1p(at),
      match: one.match,
      likeness: one.likeness,
      likenessGap: most.likeness - one.likeness,
      coverage: one.coverage,
      around: one.around,
      standing: one.standing,
      time: one.inTime === undefined ? 0.5 : Number(one.inTime),
      matchOrder: orders.match[at] as number,
      likenessOrder: orders.likeness[at] as number,
      aroundOrder: orders.around[at] as number,
      cover: cover[at] as number,
      coverGap: most.cover - (cover[at] as number),
      coverOrder: orders.cover[at] as number,
      ...describeCover(covered[at] as Float32Array, asked.weights),
      ...(texts[at] as ReturnType<typeof describeText>),
      phrase: sharePairs(asked.pairs, words[at] as number[]),
      coverBefore: cover[before] ?? 0,
      coverAfter: cover[after] ?? 0,
      coverAround: weighed(unite([at, ...around].map((place) => covered[place] as Float32Array))),
      matchBefore: candidates[before]?.match ?? 0,
      matchAfter: candidates[after]?.match ?? 0,
      likenessBefore: candidates[before]?.likeness ?? 0,
      likenessAfter: candidates[after]?.likeness ?? 0,
      asksBefore: texts[before]?.asks ?? 0,
      asksAfter: texts[after]?.asks ?? 0,
      neighbours: around.length,
      feedback: feedback[at] as number,
      sessionBest: session.best - one.score,
      sessionOrder: session.order,
      sessionCount: Math.log1p(session.count),
      sessionCover: union,
      sessionCoverGap: most.union - union,
      sessionSum: session.sum,
      sessionLikeness: session.likeness,
      isTalk: Number(one.place !== undefined),
      speaker: named === undefined ? 0 : named.has(one.source) ? 1 : -1,
      role: one.source === 'user' ? 1 : one.source === 'assistant' ? -1 : 0,
      ...about,
    };
  });
}

function weigh(values: Float32Array, weights: readonly number[]): number {
  let [sum, total] = [0, 0];
  for (let at = 0; at < weights.length; at++) {
    sum += (weights[at] as number) * (values[at] as number);
    total += weights[at] as number;
  }
  return total === 0 ? 0 : sum / total;
}

/** The greatest value at each place. */
function unite(all: readonly Float32Array[]): Float32Array {
  const united = Float32Array.from(all[0] ?? []);
  for (const values of all) for (let at = 0; at < values.length; at++) raise(united, at, values[at] as number);
  return united;
}

function raise(values: Float32Array, at: number, value: number): void {
  if (value > (values[at] as number)) values[at] = value;
}

/** The query's words are sorted by weight. */
function describeCover(best: Float32Array, weights: readonly number[]) {
  const sorted = [...best].sort((a, b) => b - a);
  return {
    coverEqual: best.reduce((sum, value) => sum + value, 0) / Math.max(1, best.length),
    coverBest: sorted[0] ?? 0,
    coverSecond: sorted[1] ?? 0,
    coverThird: sorted[2] ?? 0,
    coverLeast: sorted.at(-1) ?? 0,
    coverFirst: best[0] ?? 0,
    coverNext: best[1] ?? 0,
    similar: weigh(
      best.map((value) => Number(value >= similarFrom)),
      weights,
    ),
    same: weigh(
      best.map((value) => Number(value >= sameFrom)),
      weights,
    ),
  };
}

/** English words in which people speak of themselves and of times; in other languages these features are 0. */
const lists = {
  self: 'i my me we our us mine myself',
  time: 'yesterday today tomorrow tonight ago last next week weekend month year morning evening since monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december',
};
let listed: Record<keyof typeof lists, ReadonlySet<number>> | undefined;

function describeText(text: string, rows: readonly number[], table: StaticTable) {
  listed ??= { self: new Set(readWords(table, lists.self)), time: new Set(readWords(table, lists.time)) };
  let [self, time] = [0, 0];
  for (const row of rows) {
    if (listed.self.has(row)) self++;
    if (listed.time.has(row)) time++;
  }
  return {
    length: Math.log1p(rows.length),
    characters: Math.log1p(text.length),
    asks: Number(/[?？؟]\s*$/.test(text.slice(-4))),
    numbers: Number(/\d/.test(text.slice(0, longestRead))),
    self: self / (rows.length + 8),
    times: Math.min(3, time),
  };
}

function describeQuery(query: string, { rows }: QueryWords) {
  const is = (expression: RegExp) => Number(expression.test(query));
  return {
    askedWords: rows.length,
    asksWhen: is(
      /\bwhen\b|\bhow long\b|\bwhat (?:time|day|date|year|month)\b|\bhow many (?:days|weeks|months|years)\b/i,
    ),
    asksCount: is(/\bhow (?:many|much|often)\b/i),
    asksPerson: is(/\bwho(?:m|se)?\b/i),
    asksPlace: is(/\bwhere\b/i),
    asksReason: is(/\b(?:why|how)\b/i),
    asksSelf: is(/\b(?:I|my|me)\b/),
    asksOther: is(/\b(?:you|your)\b/i),
  };
}

/** The share of neighbouring words of the query that are neighbours in the text. */
function sharePairs(asked: ReadonlySet<number>, rows: readonly number[]): number {
  const shared = new Set<number>();
  for (let at = 1; at < rows.length; at++) {
    const pair = pairWords(rows[at - 1] as number, rows[at] as number);
    if (asked.has(pair)) shared.add(pair);
  }
  return shared.size / Math.max(1, asked.size);
}

/** The share of a text's words that other first results have; words that are rare among the candidates weigh more. */
function measureFeedback(table: StaticTable, distinct: readonly (readonly number[])[]): number[] {
  const having = new Map<number, number>();
  for (const rows of distinct) for (const row of rows) having.set(row, (having.get(row) ?? 0) + 1);
  // One bit for each of the first results.
  const firsts = new Map<number, number>();
  for (let first = 0; first < Math.min(firstHits, distinct.length); first++) {
    for (const row of distinct[first] as number[]) firsts.set(row, (firsts.get(row) ?? 0) | (1 << first));
  }
  return distinct.map((rows, own) => {
    const others = ~(own < firstHits ? 1 << own : 0);
    let [shared, total] = [0, 0];
    for (const row of rows) {
      const weight = table.lengthOf(row) * Math.log(distinct.length / (having.get(row) as number));
      total += weight;
      if ((firsts.get(row) ?? 0) & others) shared += weight;
    }
    return total === 0 ? 0 : shared / total;
  });
}

/** Logarithm of each value's position among them. */
function orderBy(values: readonly number[]): number[] {
  const sorted = values.map((_, at) => at).sort((a, b) => (values[b] as number) - (values[a] as number) || a - b);
  const orders: number[] = [];
  sorted.forEach((at, order) => {
    orders[at] = Math.log1p(order);
  });
  return orders;
}

interface SessionFeatures {
  best: number;
  likeness: number;
  /** How well all its candidates together cover each word of the query. */
  union: Float32Array;
  count: number;
  /** Of its three best scores. */
  sum: number;
  /** Logarithm of its position by its best candidate. */
  order: number;
}

function nameSession({ session }: RankCandidate, at: number): string {
  return session ?? `\n${at}`;
}

function gatherSessions(candidates: readonly RankCandidate[], covered: readonly Float32Array[]) {
  const sessions = new Map<string, SessionFeatures>();
  for (const [at, one] of candidates.entries()) {
    const name = nameSession(one, at);
    const own = covered[at] as Float32Array;
    let known = sessions.get(name);
    if (!known) {
      known = { best: one.score, likeness: 0, union: own.slice(), count: 0, sum: 0, order: Math.log1p(sessions.size) };
      sessions.set(name, known);
    }
    for (let word = 0; word < own.length; word++) raise(known.union, word, own[word] as number);
    known.likeness = Math.max(known.likeness, one.likeness);
    if (known.count++ < 3) known.sum += one.score;
  }
  return sessions;
}

/** The sources that the query names, unless it names none. */
function nameSpeakers(query: string, candidates: readonly RankCandidate[]): Set<string> | undefined {
  const words = new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  const named = new Set<string>();
  for (const source of new Set(candidates.map((one) => one.source))) {
    if (
      source
        .toLowerCase()
        .match(/[\p{L}\p{N}]{2,}/gu)
        ?.some((word) => words.has(word))
    )
      named.add(source);
  }
  return named.size > 0 ? named : undefined;
}
