// BERT's rules case by case, on a small vocabulary; once, by hand, the whole was compared with @huggingface/tokenizers.
import { describe, expect, it } from 'vitest';
import { createWordPiece, findCut, splitCase, visitWords, type WordPieceOptions } from './wordpiece.ts';

// biome-ignore format: a vocabulary reads best as a block
const spellings = [
  '[UNK]', 'un', '##want', '##ed', 'want', 'wa', 'running', 'cafe', 'istanbul', 'hello', 'world', "'", ',', '.', '!', '_',
  '—', '北', '京', '𠀀', 'get', 'user', 'name', 'http', 'request', 'parse', 'github', 'id', '##s', 'x', 'y', '##y', 'привет',
];
const pieces = new Map(spellings.map((spelling, index) => [spelling, index]));

function cut(text: string, options: WordPieceOptions = { unknown: 0 }): string[] {
  const found: string[] = [];
  createWordPiece(pieces, options)(text, (token) => found.push(spellings[token] as string));
  return found;
}

describe('WordPiece', () => {
  it.each([
    ['the longest piece from the left', 'unwanted running', ['un', '##want', '##ed', 'running']],
    ['an unknown word as a whole', 'unwantedX wa', ['[UNK]', 'wa']],
    ['upper case', 'HELLO World', ['hello', 'world']],
    ['accents, composed or not', 'Café Cafe\u0301', ['cafe', 'cafe']],
    ['a dotted capital', 'İstanbul', ['istanbul']],
    ['marks of punctuation one by one', "hello,world!!'.", ['hello', ',', 'world', '!', '!', "'", '.']],
    ['a dash beyond ASCII', 'hello—world', ['hello', '—', 'world']],
    ['an underscore', 'user_name', ['user', '_', 'name']],
    ['ideographs one by one', 'hello北京world', ['hello', '北', '京', 'world']],
    ['ideographs beyond the first plane', 'x𠀀y', ['x', '𠀀', 'y']],
    ['other scripts as words', 'Привет', ['привет']],
    ['every kind of blank', 'hello\u00a0world\u3000x\u2028y\tx\r\ny', ['hello', 'world', 'x', 'y', 'x', 'y']],
    ['control characters as nothing', 'he\u0000l\u200blo\u007f', ['hello']],
    ['a lone surrogate as nothing', 'x\ud800y \udc00x', ['x', '##y', 'x']],
    ['a word of more than a hundred letters', `${'x'.repeat(101)} x`, ['[UNK]', 'x']],
    ['no text', '', []],
    ['blanks alone', ' \n\t', []],
  ])('reads %s', (_, text, expected) => {
    expect(cut(text)).toEqual(expected);
  });

  it('omits unknown words, unless there is a token for them', () => {
    expect(cut('hello zzz world', {})).toEqual(['hello', 'world']);
  });

  it('splits camelCase only if it is not a word itself', () => {
    expect(cut('getUserName', { unknown: 0, splitCase: true })).toEqual(['get', 'user', 'name']);
    expect(cut('parseHTTPRequest', { splitCase: true })).toEqual(['parse', 'http', 'request']);
    expect(cut('GitHub userIds', { splitCase: true })).toEqual(['github', 'user', 'id', '##s']);
    expect(cut('getUserName', { unknown: 0 })).toEqual(['[UNK]']);
  });

  it('returns the same with and without its cache', () => {
    const tokenize = createWordPiece(pieces);
    const count = (text: string) => {
      let tokens = 0;
      tokenize(text, () => tokens++);
      return tokens;
    };
    expect(count('unwanted')).toBe(3);
    for (let word = 0; word < 25_000; word++) count(`y${word}`);
    expect(count('unwanted')).toBe(3);
  });
});

describe('words', () => {
  it('keep their case', () => {
    const words: string[] = [];
    visitWords('Don\u2019t call getUser()', (word) => words.push(word));
    expect(words).toEqual(['Don', '’', 't', 'call', 'getUser', '(', ')']);
  });

  it.each([
    ['getUserName', ['get', 'User', 'Name']],
    ['HTTPServer2Go', ['HTTP', 'Server2', 'Go']],
    ['lower', ['lower']],
    ['UPPER', ['UPPER']],
    ['ÉtéChaud', ['Été', 'Chaud']],
  ])('%s is split at its humps', (word, parts) => {
    expect(splitCase(word)).toEqual(parts);
  });
});

it('findCut: splits a text without changing its words', () => {
  const text = 'getUserName naïve café, 漢字かな 안녕 a\u0301b 😀x "«mot»" 10.2 𠀀𠀁 end\u00a0here\u0000too'.repeat(3);
  const readWords = (given: string) => {
    const words: string[] = [];
    visitWords(given, (word) => words.push(word));
    return words;
  };
  for (let from = 0; from <= text.length; from++) {
    const cut = findCut(text, from);
    expect([...readWords(text.slice(0, cut)), ...readWords(text.slice(cut))]).toEqual(readWords(text));
  }
});
