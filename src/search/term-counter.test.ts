// The counter gives the same terms as counting each document alone.
import { expect, it } from 'vitest';
import { countTerms, readTerms, titleWeight, writeTerms } from './document.ts';
import { createTermCounter } from './term-counter.ts';

it('counter: counts the terms of a document like countTerms, with shared terms in the last one', () => {
  const counter = createTermCounter();
  for (let round = 0; round < 3; round++) {
    // Many different words, so that the cache is full in between.
    const many = Array.from({ length: 30_000 }, (_, n) => `w${round}x${n}`).join(' ');
    const bodies = [`parseHttpHeader(parse_http) ${'walrus '.repeat(300)}`, 'Größe der Datei: 日本語 parse', many, ''];
    const documents = bodies.map((body) => {
      const length = counter.add(body);
      counter.share();
      return { length: length + counter.add('src/parseFile.ts', titleWeight), ...counter.take() };
    });
    counter.addShared();
    const whole = counter.take();
    const words = counter.words();
    const read = (packed: Uint32Array) => readTerms(writeTerms({ words, packed }));
    for (const [at, { length, packed }] of documents.entries()) {
      const alone = countTerms('src/parseFile.ts', bodies[at] as string);
      const capped = [...alone.frequencies].map(([term, count]) => [term, Math.min(count, 255)] as const);
      expect(length).toBe(alone.length);
      expect(read(packed)).toEqual(new Map(capped));
    }
    const { frequencies } = countTerms('', bodies.join('\n'));
    expect([...read(whole.packed).keys()].sort()).toEqual([...frequencies.keys()].sort());
  }
});

it('counter: gives the same sum for the same terms only', () => {
  const sumOf = (counter: ReturnType<typeof createTermCounter>, text: string) => {
    counter.add(text);
    return counter.take().sum;
  };
  const [used, other] = [createTermCounter(), createTermCounter()];
  sumOf(used, 'seal clam walrus');
  expect(sumOf(used, 'walrus eats clam')).toBe(sumOf(other, 'clam walrus eats'));
  expect(sumOf(used, 'walrus eats clam')).not.toBe(sumOf(other, 'clam walrus eats eats'));
  expect(sumOf(used, 'walrus eats clam')).not.toBe(sumOf(other, 'clam walrus'));
});
