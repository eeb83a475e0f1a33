// The position of a search: the start folder, the folders below it, and a name in the last one. All results are sorted by it,
// so that a cursor works for a walk and for an index.

export interface FilePosition {
  top: string;
  way: readonly string[];
  name: string;
}

/** A folder's own entries come before those of its subfolders. */
export function comparePlaces(a: Pick<FilePosition, 'way' | 'name'>, b: Pick<FilePosition, 'way' | 'name'>): number {
  return compareWays(a.way, b.way) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

export function compareWays(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; ; at++) {
    const [one, other] = [a[at], b[at]];
    if (one === undefined || other === undefined) return a.length - b.length;
    if (one !== other) return one < other ? -1 : 1;
  }
}

/** Checks a cursor. It is only compared: the path in a forged cursor is not opened. */
export function checkPlace(
  top: unknown,
  way: unknown,
  name: unknown,
  tops: readonly string[],
): FilePosition | undefined {
  const isWay = Array.isArray(way) && way.every((part) => typeof part === 'string');
  return typeof top === 'string' && isWay && typeof name === 'string' && tops.includes(top)
    ? { top, way, name }
    : undefined;
}
