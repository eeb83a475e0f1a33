// What lifts a memory among those found with it: its neighbours, its session, its time.
import { describe, expect, it } from 'vitest';
import { type Candidate, chosen, rankTogether } from './rank.ts';

const candidate = (given: Partial<Candidate>): Candidate => ({ match: 0, likeness: 0, frequencies: [], ...given });

/** The numbers of the candidates, best first. */
function order(candidates: readonly Candidate[]): number[] {
  const scores = rankTogether(candidates).map(({ score }) => score);
  return scores.map((_, at) => at).sort((a, b) => (scores[b] as number) - (scores[a] as number));
}

describe('rankTogether', () => {
  it('adds words of the preceding question to an answer', () => {
    const [near, far] = [1, 9].map((place) => candidate({ session: 'a', place, match: 0.1, frequencies: [0] }));
    const asked = candidate({ session: 'a', place: 0, match: 1, frequencies: [1] });
    const scores = rankTogether([asked, near as Candidate, far as Candidate]).map(({ score }) => score);
    expect(scores[1]).toBeGreaterThan(scores[2] as number);
  });

  it('prefers a session with all words to one with a frequent word', () => {
    const both = [
      candidate({ session: 'both', place: 0, match: 0.5, frequencies: [1, 0] }),
      candidate({ session: 'both', place: 9, match: 0.5, frequencies: [0, 1] }),
    ];
    const often = [0, 9].map((place) => candidate({ session: 'often', place, match: 0.5, frequencies: [4, 0] }));
    expect(
      order([...often, ...both])
        .slice(0, 2)
        .sort(),
    ).toEqual([2, 3]);
  });

  it('ignores words of every session', () => {
    const others = [1, 2, 3, 4].map((n) => candidate({ session: `s${n}`, match: 0.5, frequencies: [5, 0] }));
    const rare = candidate({ session: 'rare', match: 0.5, frequencies: [0, 1] });
    expect(order([...others, rare])[0]).toBe(4);
  });

  it('prefers the requested time, but not over a much better match', () => {
    const better = candidate({ match: 1, likeness: 1, frequencies: [2] });
    const equal = candidate({ match: 0.4, likeness: 0.4, frequencies: [1] });
    expect(order([equal, { ...equal, inTime: true }, better])).toEqual([2, 1, 0]);
  });

  it('scores a memory independently of other results', () => {
    const one = candidate({ match: 0.2, likeness: 0.3 });
    const [alone] = rankTogether([one]);
    expect(rankTogether([one, candidate({ match: 0.9, likeness: 0.9 })])[0]?.score).toBe(alone?.score);
  });

  it('gives scores from 0 to 1, to single memories too', () => {
    const best = candidate({ match: 1, likeness: 1, frequencies: [1], inTime: true });
    expect(rankTogether([best])[0]?.score).toBe(1);
    expect(rankTogether([candidate({})])[0]?.score).toBe(0);
    expect(rankTogether([])).toEqual([]);
    expect(rankTogether([best], { ...chosen, own: 0, session: 0, meaning: 0 })[0]?.score).toBeCloseTo(chosen.time);
  });
});
