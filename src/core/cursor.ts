// Cursors: the position of the next page, as one opaque word.
import { LoreError } from './error.ts';

export function writeCursor(...place: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** `check` returns undefined for a position that its tool cannot have written. */
export function readCursor<T>(cursor: string, check: (...place: unknown[]) => T | undefined): T {
  const found = check(...parsePlace(cursor));
  if (found !== undefined) return found;
  const received = cursor.slice(0, 100);
  throw new LoreError('invalid_input', 'Cannot read the cursor: this tool did not return it', {
    details: { path: 'arguments.cursor', expected: 'a cursor from an earlier page', received },
  });
}

function parsePlace(cursor: string): unknown[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(place) ? place : [];
  } catch {
    return [];
  }
}

/** The position of a node in a list, newest first. */
export function checkPosition(createdAt: unknown, id: unknown): { createdAt: number; id: string } | undefined {
  return isCount(createdAt) && typeof id === 'string' && /^\w{1,100}$/.test(id) ? { createdAt, id } : undefined;
}

/** The number of entries before the page. */
export function checkOffset(offset: unknown): number | undefined {
  return isCount(offset) ? offset : undefined;
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
