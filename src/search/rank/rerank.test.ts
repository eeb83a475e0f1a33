// The learned ranking: what it may change, what it reads, and that its weights fit the features.
import { describe, expect, it } from 'vitest';
import { openWords } from '../embed.ts';
import { unknownLanguage } from './deep/threads.ts';
import { describeCandidates, describeInSteps, nameFeatures, type RankCandidate } from './features.ts';
import { rerank } from './rerank.ts';
import { weights } from './weights.ts';

const candidate = (given: Partial<RankCandidate>): RankCandidate => ({
  text: '',
  source: '',
  score: 0.4,
  match: 0.3,
  likeness: 0.3,
  coverage: 0.5,
  around: 0.3,
  standing: 0.3,
  ...given,
});

const feature = (name: string, query: string, candidates: readonly RankCandidate[]) =>
  describeCandidates(openWords(), query, candidates).map(
    (row) => row[nameFeatures(openWords()).indexOf(name)] as number,
  );

describe('rerank', () => {
  it('has weights for exactly the features of a candidate', () => {
    expect(nameFeatures(openWords())).toEqual(weights.features);
  });

  it('keeps the results and the descending scores, and changes their order only', async () => {
    const texts = [
      'Caroline: Did you paint the lake?',
      'Melanie: Yes, I painted a sunrise over the lake in 2022.',
      'Melanie: Wow!',
    ];
    const given = texts.map((text, at) => candidate({ text, score: 0.9 - at / 10, session: 'a', place: at }));
    const ordered = await rerank('When did Melanie paint a sunrise?', given, (one) => one);
    expect(ordered.map(({ score }) => score)).toEqual(given.map(({ score }) => score));
    expect(ordered.map(({ text }) => text).sort()).toEqual([...texts].sort());
    expect(ordered[0]?.text).toBe(texts[1]);
  });

  it('orders the results that the deep stage has read by both stages, then the others', async () => {
    const given = Array.from({ length: 60 }, (_, at) => candidate({ text: `${at}`, score: 0.9 - at / 100 }));
    const fast = await rerank('a question', given, (one) => one);
    const deep = async (_question: string, pairs: readonly { text: string }[]) => ({
      fusion: { fast: 0, deep: 1 },
      scores: Float32Array.from(pairs, (_, at) => [1, 2, unknownLanguage, 3][at] ?? Number.NaN),
      relevance: new Float32Array(pairs.length),
    });
    const ordered = await rerank('a question', given, (one) => one, deep);
    // The third cannot be judged, so it is average.
    const expected = [3, 1, 2, 0].map((at) => fast[at]?.text);
    expect(ordered.map(({ text }) => text)).toEqual([...expected, ...fast.slice(4).map(({ text }) => text)]);
    expect(ordered.map(({ score }) => score)).toEqual(given.map(({ score }) => score));
    expect(
      await rerank(
        'a question',
        given,
        (one) => one,
        async () => undefined,
      ),
    ).toEqual(fast);
  });

  it('returns nothing for nothing, and one result as it is', async () => {
    const one = candidate({ text: 'alone' });
    expect(await rerank('a question', [], (given: RankCandidate) => given)).toEqual([]);
    expect(await rerank('a question', [one], (given) => given)).toEqual([one]);
  });

  it('reads only the beginning of a long question', () => {
    const given = ['The cache is warm.', 'The queue is empty.'].map((text) => candidate({ text }));
    const question = `Which queue is empty? ${'filler words '.repeat(200)}`;
    const [read, longer] = [question, `${question}the cache is warm`].map((query) =>
      describeCandidates(openWords(), query, given),
    );
    expect(longer).toEqual(read);
  });

  it('accepts texts and questions without any known word', async () => {
    const given = ['', '☃☃☃', '?'].map((text) => candidate({ text }));
    expect(await rerank('☃', given, (one) => one)).toHaveLength(3);
  });
});

describe('features', () => {
  it('are computed in steps, so that long texts of rare words delay nobody', () => {
    const given = Array.from({ length: 50 }, (_, at) => candidate({ text: `zebra ${at}` }));
    expect([...describeInSteps(openWords(), 'zebra', given)].length).toBeGreaterThan(3 * given.length);
  });

  it('sees that similar words cover a question', () => {
    const texts = ['My children love the beach.', 'The deployment failed again.'];
    const [near = 0, far = 0] = feature(
      'cover',
      'What do her kids like?',
      texts.map((text) => candidate({ text })),
    );
    expect(near).toBeGreaterThan(far + 0.1);
  });

  it('sees who is named, and a question just before an answer', () => {
    const talk = [
      candidate({ text: 'Ann: Where did you stay?', source: 'Ann', session: 's', place: 0 }),
      candidate({ text: 'Bob: In a cabin.', source: 'Bob', session: 's', place: 1 }),
    ];
    expect(feature('speaker', 'Where did Bob stay?', talk)).toEqual([-1, 1]);
    expect(feature('asksBefore', 'Where did Bob stay?', talk)).toEqual([0, 1]);
  });
});
