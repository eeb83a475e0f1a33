// What a tool gets back from a cursor, its own or a forged one.
import { describe, expect, it } from 'vitest';
import { isCount, readCursor, writeCursor } from './cursor.ts';

const check = (name: unknown, offset: unknown) =>
  typeof name === 'string' && isCount(offset) ? { name, offset } : undefined;

describe('a cursor', () => {
  it('decodes the position that it encodes', () => {
    expect(readCursor(writeCursor('ä/b', 7), check)).toEqual({ name: 'ä/b', offset: 7 });
  });

  it.each(['', 'nope', 'e30', 'bnVsbA', writeCursor('a'), writeCursor('a', -1), writeCursor('a', 0.5)])(
    'is refused if no tool returned it: %j',
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
