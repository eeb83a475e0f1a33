// Where a search stands: the folder it began in, the folders from there, and a name in the last one. Results come in this
// order whoever found them, so that a cursor means the same to a walk and to an index.
import { LoreError } from '../../../core/error.ts';

export interface Place {
  top: string;
  way: readonly string[];
  name: string;
}

/** A folder's own entries come before those of the folders in it. */
export function comparePlaces(a: Pick<Place, 'way' | 'name'>, b: Pick<Place, 'way' | 'name'>): number {
  return compareWays(a.way, b.way) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

export function compareWays(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; ; at++) {
    const [one, other] = [a[at], b[at]];
    if (one === undefined || other === undefined) return a.length - b.length;
    if (one !== other) return one < other ? -1 : 1;
  }
}

export function writeCursor({ top, way, name }: Place): string {
  return Buffer.from(JSON.stringify([top, way, name])).toString('base64url');
}

/** Only ever compared: what a made-up cursor says is not opened. */
export function readCursor(cursor: string, tops: readonly string[]): Place {
  try {
    const [top, way, name] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const isWay = Array.isArray(way) && way.every((part) => typeof part === 'string');
    if (typeof top === 'string' && isWay && typeof name === 'string' && tops.includes(top)) return { top, way, name };
  } catch {
    // Said below.
  }
  throw new LoreError('invalid_input', `Cannot read cursor "${cursor.slice(0, 60)}": fs_search did not return it`, {
    details: { path: 'arguments.cursor', expected: 'a cursor from an earlier page', received: cursor.slice(0, 60) },
  });
}
