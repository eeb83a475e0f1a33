// The embedder on a table small enough to reckon by hand, then the table we ship, on sense and on hostile text.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packTable } from '../../tools/embedding/pack.ts';
import { findAsset } from '../core/asset.ts';
import { createStaticEmbedder, measureCosine, vectorLength } from './embed.ts';
import { readTable } from './embed-table.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lore-embed-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A table of four rows and four dimensions, the last row a pair. */
function writeTable(name: string, values = [127, 0, 0, 0, 0, 127, 0, 0, 0, 0, 100, 100, -127, -127, 0, 0]): string {
  const path = join(folder, name);
  writeFileSync(
    path,
    packTable(['pull', 'request', 'x', 'pull request'], Float32Array.of(1, 1, 0.5, 1), Int8Array.from(values)),
  );
  return path;
}

describe('a static embedder', () => {
  it('adds rows and pairs to a vector of fixed length', () => {
    const embedder = createStaticEmbedder(writeTable('small.bin'));
    expect(embedder.dimensions).toBe(4);
    const [pull, both, apart, scaled] = embedder.embed(['Pull', 'pull request', 'request pull', 'x']);
    expect([...(pull as Int8Array)]).toEqual([127, 0, 0, 0]);
    expect([...(both as Int8Array)]).toEqual([0, 0, 0, 0]);
    expect([...(apart as Int8Array)]).toEqual([127, 127, 0, 0]);
    expect([...(scaled as Int8Array)]).toEqual([0, 0, 127, 127]);
  });

  it('reads nothing before it is used', () => {
    const embedder = createStaticEmbedder(join(folder, 'absent.bin'));
    expect(() => embedder.embed(['x'])).toThrow(/Cannot read embedding table/);
    expect(() => embedder.id).toThrow(/Cannot read embedding table/);
  });

  it('reads its table once in a process', () => {
    const path = writeTable('once.bin');
    const { id } = createStaticEmbedder(path);
    rmSync(path);
    expect(createStaticEmbedder(path).id).toBe(id);
  });

  it('has another id for another table', () => {
    const first = createStaticEmbedder(writeTable('first.bin')).id;
    const second = createStaticEmbedder(
      writeTable('second.bin', [127, 0, 0, 0, 0, 127, 0, 0, 0, 0, 100, 100, -127, -126, 0, 0]),
    ).id;
    expect(first).toMatch(/^lore-static-4-[0-9a-f]{12}$/);
    expect(second).not.toBe(first);
  });

  it.each(['', 'LOREEMB1', 'LOREEMB1 and then something that is no table'])('refuses a damaged file (%j)', (text) => {
    const path = join(folder, 'damaged.bin');
    writeFileSync(path, text);
    expect(() => createStaticEmbedder(path).id).toThrow(/damaged or of another format/);
  });
});

it.each([
  ['', ''],
  ['LORELNG1', 'LORELNG1'],
  ['another width', 'LORELNG1\u0001\0\0\0\u0008\0\0\0\u0002\0\0\0'],
])('refuses a damaged language table (%s)', (_, text) => {
  const path = join(folder, 'languages.bin');
  writeFileSync(path, text);
  expect(() => readTable(writeTable('english.bin'), path)).toThrow(/Cannot read language table .* it is damaged/);
  expect(() => readTable(writeTable('english.bin'), join(folder, 'absent.bin'))).toThrow(/cannot be opened/);
});

describe('the table we ship', () => {
  const embedder = createStaticEmbedder();
  const embedOne = (text: string) => embedder.embed([text])[0] as Int8Array;
  const lengthOf = (vector: Int8Array) => Math.hypot(...vector);

  it('has 256 dimensions and an id', () => {
    expect(embedder.dimensions).toBe(256);
    expect(embedder.id).toMatch(/^lore-static-256-[0-9a-f]{12}-[0-9a-f]{8}$/);
  });

  it('is all zeros for a text of which only the punctuation is known', () => {
    for (const text of ['', '?!', 'อากาศพรุ่งนี้เป็นอย่างไร?', 'Τι καιρό θα κάνει;']) {
      expect(lengthOf(embedOne(text)), text).toBe(0);
    }
  });

  it('makes vectors of the same length', () => {
    for (const text of ['a', 'the build fails', 'My sister lives in Lisbon.', 'getUserName()']) {
      expect(Math.abs(lengthOf(embedOne(text)) - vectorLength)).toBeLessThan(12);
    }
  });

  it.each([
    ['why does the login page crash', 'authentication screen throws an exception', 'we planted roses in the garden'],
    ['which database do we use', 'PostgreSQL was chosen for storage', 'the meeting is on Thursday'],
    ['what can I not eat', 'she is allergic to peanuts', 'the parser is written in Rust'],
    ['getUserName', 'returns the name of a user', 'compresses an image'],
  ])('finds %j nearer to %j than to %j', (query, near, far) => {
    const [a, b, c] = embedder.embed([query, near, far]) as [Int8Array, Int8Array, Int8Array];
    expect(measureCosine(a, b)).toBeGreaterThan(measureCosine(a, c) + 0.1);
  });

  it('places a text of each language next to the English text', () => {
    const texts = readFileSync(new URL('../../test/support/translations.tsv', import.meta.url), 'utf8')
      .trim()
      .split('\n');
    const rows = texts.map((line) => line.split('\t'));
    const english = embedder.embed(rows.map(([text]) => text as string));
    const wrong: string[] = [];
    for (let language = 1; language <= 10; language++) {
      for (const [at, vector] of embedder.embed(rows.map((row) => row[language] as string)).entries()) {
        const near = english.map((other) => measureCosine(vector, other));
        if (near.indexOf(Math.max(...near)) !== at) wrong.push(rows[at]?.[language] as string);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('does not change an English text with a few foreign words', () => {
    for (const text of [
      'The café in São Paulo is closed',
      'Deploy the naïve Bayes model to Zürich',
      'de facto standard of the API',
    ]) {
      expect(embedOne(text), text).toEqual(createStaticEmbedder(findAsset('embedding.bin')).embed([text])[0]);
    }
  });

  it.each([
    ['nothing', ''],
    ['blanks', ' \n\t\u2028'],
    ['a script it does not know', 'გამარჯობა'],
    ['lone surrogates', '\ud800\udfff\udfff\ud800'],
    ['control characters', '\u0000\u0001\u0007\u001b'],
  ])('answers %s with zeros', (_, text) => {
    expect(embedOne(text).every((value) => value === 0)).toBe(true);
  });

  it('ignores control characters and surrogates between words', () => {
    expect(embedOne('the\u0000 bu\u200bild \ud800fails')).toEqual(embedOne('the build fails'));
  });

  it('reads a bounded part of a very long text', () => {
    const began = performance.now();
    for (const text of [
      'word '.repeat(2_000_000),
      'x'.repeat(10_000_000),
      'aB'.repeat(5_000_000),
      '\u0301'.repeat(5_000_000),
      'あ'.repeat(5_000_000),
      'для '.repeat(1_000_000),
    ]) {
      expect(embedOne(text)).toHaveLength(256);
    }
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
