// The table for ASCII finds what the expression for all letters finds.
import { expect, it } from 'vitest';
import { analyze, analyzeQuery, countAnalyzed } from './analyze.ts';

const signs = [...'aBc9_-./:@# (\n"'];

function* makeTexts(): Generator<string> {
  let seed = 7;
  const next = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % most;
  };
  for (let n = 0; n < 500; n++) yield Array.from({ length: 1 + next(40) }, () => signs[next(signs.length)]).join('');
}

it('splits ASCII like any other text', () => {
  for (const text of makeTexts()) {
    // One letter from elsewhere, and the whole goes the other way.
    expect(analyze(`${text} é`), text).toEqual([...analyze(text), 'e']);
    const counted = new Map<string, number>();
    countAnalyzed(text, (term, times) => counted.set(term, (counted.get(term) ?? 0) + times));
    const plain = new Map<string, number>();
    for (const term of analyze(text)) plain.set(term, (plain.get(term) ?? 0) + 1);
    expect(counted, text).toEqual(plain);
  }
});

it('caches repeated words, but no data', () => {
  const long = 'x'.repeat(100);
  expect(analyze(`getUserName ${long} getUserName`)).toEqual(analyze(`getUserName getUserName`));
});

it('joins spellings and inflected forms of other languages', () => {
  const groups = [
    ['größe', 'Grosse', 'GRÖSSE'],
    ['настройки', 'настройка', 'настройками'],
    ['المستخدم', 'مستخدم', 'المُستخدم'],
    ['सेटिंग', 'सेटिंगें'],
    ['été', 'ete'],
  ];
  expect(groups.filter((words) => new Set(words.flatMap(analyze)).size > 1)).toEqual([]);
});

it('ignores the function words of a question in other languages', () => {
  expect(analyzeQuery('Wo ist das Passwort der Datenbank?')).toEqual(['passwort', 'datenbank']);
  expect(analyzeQuery('What hat size is it?')).toEqual(['hat', 'size']);
  expect(analyzeQuery('Где хранится пароль?')).toEqual(analyze('хранится пароль'));
  expect(analyzeQuery('¿Dónde está la contraseña?')).toEqual(['contrasena', 'contrasen']);
});
