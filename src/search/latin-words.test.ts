// Word forms and compounds of German, French, Spanish and Portuguese.
import { expect, test } from 'vitest';
import { analyzeQuery, countAnalyzed } from './analyze.ts';
import { splitLatin } from './latin-words.ts';

const known = new Set(['leistung', 'dienst', 'ubersetzung', 'lebensmittel', 'modell', 'verstandnis', 'sprach']);
const split = (word: string) => splitLatin(word, (one) => known.has(one));

test('splitLatin: removes the endings of four languages', () => {
  for (const [word, stem] of [
    ['sensoren', 'sensor'],
    ['capteurs', 'capteur'],
    ['sensores', 'sensor'],
    ['dispositivos', 'dispositiv'],
  ] as const) {
    expect(split(word), word).toEqual([stem]);
  }
});

test('splitLatin: splits a compound into its parts, also where only the last one is known', () => {
  expect(split('ubersetzungsdienste')).toEqual(['ubersetzungsdienst', 'ubersetzung', 'dienst']);
  expect(split('relaisleistung')).toEqual(['relaisleistung', 'relai', 'leistung']);
  expect(split('sprachverstandnismodell')).toContain('modell');
  expect(split('sprachverstandnismodell')).toContain('sprach');
});

test('splitLatin: does not split a known word', () => {
  expect(split('lebensmittel')).toEqual(['lebensmittel']);
});

test('analyzeQuery: a part of a compound finds the compound, in German only', () => {
  const terms = new Set<string>();
  countAnalyzed('Die Übersetzungsdienste sind nicht mehr erreichbar.', (term) => terms.add(term));
  expect(analyzeQuery('Wo ist der Dienst?').some((term) => terms.has(term))).toBe(true);
  expect(analyzeQuery('where are the warehouses')).toEqual(['warehous']);
});
