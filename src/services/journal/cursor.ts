// Where the next page of a list begins, as one word for the client to hand back.
import { LoreError } from '../../core/error.ts';
import type { Place } from '../../graph/node.ts';

export function writeCursor({ createdAt, id }: Place): string {
  return Buffer.from(`${createdAt} ${id}`).toString('base64url');
}

export function readCursor(cursor: string): Place {
  const [, createdAt, id] = /^(\d{1,15}) (\w{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (createdAt !== undefined && id !== undefined) return { createdAt: Number(createdAt), id };
  throw new LoreError('invalid_input', `Cannot read cursor "${cursor}": this tool did not return it`, {
    details: { path: 'arguments.cursor', expected: 'a cursor from an earlier page', received: cursor },
  });
}
