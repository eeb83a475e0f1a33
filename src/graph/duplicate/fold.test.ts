// Which statements are one memory, and which only look alike.
import { describe, expect, it } from 'vitest';
import { foldText } from './fold.ts';

describe('foldText', () => {
  it('reads a long run of dots once', () => {
    const text = `x${'.'.repeat(100_000)} x`;
    expect(foldText(`${text}...`)).toBe(text);
  });

  it.each([
    ['The API gateway listens on 8443.', 'the API gateway listens on 8443'],
    ['Use  tabs!', '\n use tabs\t'],
    ['Please remember: the API gateway listens on 8443.', 'The API gateway listens on 8443.'],
    ['Remember that Ann prefers tabs.', 'ann prefers tabs'],
    ['Note: note that the port is 80.', 'The port is 80.'],
    ['- Use “tabs”.', 'use "tabs"'],
    ['A server needs 2 GB.', 'a server needs 2 GB'],
    ['Bitte merke dir: Der Port ist 80.', 'der Port ist 80'],
    ['Recuerda que el puerto es 80.', 'El puerto es 80'],
    ['请记住：端口是80。', '端口是80'],
    ['Запомни: порт 80.', 'порт 80'],
    ['ポートは80です。', 'ポートは80です'],
  ])('%j and %j are one', (a, b) => {
    expect(foldText(a)).toBe(foldText(b));
  });

  it.each([
    ['Use Redis 7.', 'Use Redis 8.'],
    ['The limit is 1.5 GB.', 'The limit is 15 GB.'],
    ['The offset is -1.', 'The offset is 1.'],
    ['The area is 10² m.', 'The area is 102 m.'],
    ['Use tabs.', 'Do not use tabs.'],
    ['No, use tabs.', 'No use tabs.'],
    ["Don't. Stop.", "Don't stop."],
    ['Is it 8443?', 'Is it 8443.'],
    ['The US team decides.', 'The us team decides.'],
    ['The class is `User`.', 'The class is `user`.'],
    ['The field is userId.', 'The field is UserId.'],
    ['Written in C.', 'Written in C++.'],
    ['Written in C.', 'Written in C#.'],
    ['a > b', 'a < b'],
    ['✅ The build works', '❌ The build works'],
    ['Run A, then B.', 'Run B, then A.'],
    ['Nicht am Freitag ausliefern.', 'Am Freitag ausliefern.'],
    ['部署在星期五', '部署在星期四'],
    ['缓存不过期。', '缓存过期。'],
    ['Remember the milk.', 'The milk.'],
    ['Remember:', 'Note:'],
    ['!', '?'],
  ])('%j and %j are two', (a, b) => {
    expect(foldText(a)).not.toBe(foldText(b));
  });

  it('folds a long text in linear time', () => {
    const long = 'Remember that '.repeat(10_000);
    expect(foldText(`${long}x`)).toBe('x');
  });
});
