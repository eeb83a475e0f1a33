// What a tool gets back from a cursor, its own or a forged one.
import { describe, expect, it } from 'vitest';
import { isCount, readCursor, writeCursor } from './cursor.ts';

const check = (name: unknown, offset: unknown) =>
  typeof name === 'string' && isCount(offset) ? { name, offset } : undefined;

describe('a cursor', () => {
  it('gives back the place it was written for', () => {
    expect(readCursor(writeCursor('ä/b', 7), check)).toEqual({ name: 'ä/b', offset: 7 });
  });

  it.each(['', 'nope', 'e30', 'bnVsbA', writeCursor('a'), writeCursor('a', -1), writeCursor('a', 0.5)])(
    'that no tool returned is refused: %j',
    (cursor) => {
      expect(() => readCursor(cursor, check)).toThrow(
        expect.objectContaining({
          word: 'invalid_input',
          details: expect.objectContaining({ path: 'arguments.cursor' }),
        }),
      );
    },
  );
});
