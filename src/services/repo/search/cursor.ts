// Where a page ended: how many places or files came before.
import { LoreError } from '../../../core/error.ts';

export function writeCursor(offset: number): string {
  return Buffer.from(`code ${offset}`).toString('base64url');
}

export function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const offset = /^code (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (offset !== undefined) return Number(offset);
  throw new LoreError('invalid_input', `Cannot read cursor "${cursor}": search_code did not return it`, {
    details: { path: 'arguments.cursor', expected: 'a cursor from an earlier search_code', received: cursor },
  });
}
