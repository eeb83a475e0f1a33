// The paths of a project, for finding the file that another one names: by its whole path, by the end of it, by its folder.
import { posix } from 'node:path';

export interface PathIndex {
  has(path: string): boolean;
  /** The first of them that is there. */
  first(candidates: readonly string[]): string | undefined;
  /** The only file whose path ends like this; of several, the one nearest to `from`, if it is unique. */
  endingWith(end: string, from: string): string | undefined;
  /** Files directly in a folder. */
  inFolder(folder: string): readonly string[];
}

export function createPathIndex(paths: Iterable<string>): PathIndex {
  const all = new Set<string>();
  const byName = new Map<string, string[]>();
  const byFolder = new Map<string, string[]>();
  for (const path of paths) {
    all.add(path);
    push(byName, posix.basename(path), path);
    push(byFolder, posix.dirname(path), path);
  }
  return {
    has: (path) => all.has(path),
    first: (candidates) => candidates.find((path) => all.has(path)),
    endingWith(end, from) {
      const found = (byName.get(posix.basename(end)) ?? []).filter((path) => path === end || path.endsWith(`/${end}`));
      if (found.length <= 1) return found[0];
      const near = found.map((path) => [sharedLength(path, from), path] as const).sort((a, b) => b[0] - a[0]);
      return (near[0]?.[0] as number) > (near[1]?.[0] as number) ? near[0]?.[1] : undefined;
    },
    inFolder: (folder) => byFolder.get(folder === '' ? '.' : folder) ?? [],
  };
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

/** Folders that two paths have in common. */
function sharedLength(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  let at = 0;
  while (at < left.length - 1 && left[at] === right[at]) at++;
  return at;
}

const testWords =
  /(?:^|\/)(?:tests?|specs?|__tests__|testing|testdata|e2e)\/|(?:^|[/._-])(?:test|spec)s?[._-]|[._-](?:test|spec|tests|specs)\.\w+$|(?:Test|Tests|Spec)\.\w+$/;

export function isTestPath(path: string): boolean {
  return testWords.test(path);
}
