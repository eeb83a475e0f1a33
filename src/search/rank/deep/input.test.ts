// The input of the deep ranker: its parts, their limits, the window of a long text, and the language.
import { expect, it } from 'vitest';
import { createEncoder } from './input.ts';

const pieces = ['[UNK]', '[CLS]', '[SEP]', ...'the where garage is filler before ? ##s'.split(' ')];
const { question, pair, knows } = createEncoder(pieces, {
  tokens: { unknown: 0, start: 1, separator: 2 },
  limits: { question: 4, text: 8, before: 2 },
});
const spell = (tokens: Uint16Array) => [...tokens].map((token) => pieces[token]).join(' ');
const asked = question('Where is the garage? garage');

it('has the question, the text and the turn before it, each within its limit', () => {
  expect(spell(asked)).toBe('where is the garage');
  expect(spell(pair(asked, { text: 'The garages?' }))).toBe('[CLS] where is the garage [SEP] the garage ##s ? [SEP]');
  expect(spell(pair(asked, { text: 'xyz', before: 'before the garage' }))).toBe(
    '[CLS] where is the garage [SEP] [UNK] [SEP] before the [SEP]',
  );
});

it('has the part of a long text with the most words of the question', () => {
  const filler = 'filler '.repeat(1_000);
  for (const text of [`garage ${filler}`, `${filler} garage`, `${filler.slice(0, 700)} garage ${filler}`]) {
    expect(spell(pair(asked, { text })).split('[SEP]')[1]).toContain('garage');
  }
  expect(pair(asked, { text: filler })).toHaveLength(asked.length + 2 + 8 + 1);
});

it('knows its language by its frequent words', () => {
  expect(['where is the garage?', 'the xyz', '¿dónde está el taller?', '12', ''].map(knows)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
