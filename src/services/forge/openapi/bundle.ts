// Makes one document of several files: each file becomes a member of `x-files`, and references between files become
// references inside the document. A file outside the root is not read, and nothing is fetched.
import { posix } from 'node:path';
import { LoreError } from '../../../core/error.ts';
import { isObject } from '../../../core/schema.ts';
import type { JsonObject } from './document.ts';
import { decodePercent } from './resolver.ts';

/** Reads and parses a file by its path from the root, with slashes; undefined if it cannot be read. */
export type ReadPart = (path: string) => Promise<unknown>;

const mostFiles = 5_000;
const filesKey = 'x-files';

/** `entry`: the path of the main file from the root. */
export async function bundleFiles(main: JsonObject, entry: string, read: ReadPart): Promise<JsonObject> {
  const places = new Map<string, string>([[posix.normalize(entry), '']]);
  const files: JsonObject = {};
  const pending: { node: unknown; path: string }[] = [{ node: main, path: posix.normalize(entry) }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    for (const found of rewrite(next.node, next.path, places)) {
      if (places.size > mostFiles)
        throw new LoreError('limit_exceeded', `Cannot read the document: more than ${mostFiles} files`);
      const part = await read(found.path);
      // Operations that need it report the reference.
      if (part === undefined) continue;
      const key = String(places.size - 1);
      places.set(found.path, `/${filesKey}/${key}`);
      files[key] = part;
      pending.push({ node: files[key], path: found.path });
      found.apply();
    }
  }
  return Object.keys(files).length > 0 ? { ...main, [filesKey]: files } : main;
}

/** Rewrites the references of a file in place. Yields one that leads to a file that is not read yet. */
function* rewrite(
  start: unknown,
  path: string,
  places: ReadonlyMap<string, string>,
): Generator<{ path: string; apply(): void }> {
  const open: unknown[] = [start];
  const seen = new Set<unknown>();
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    for (const entry of Object.values(node)) open.push(entry);
    if (!isObject(node) || typeof node.$ref !== 'string') continue;
    const [file = '', fragment = ''] = node.$ref.split('#');
    if (/^[a-z][a-z0-9+.-]*:|^\/|\\/i.test(file)) continue;
    const target = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), decodePercent(file)));
    if (target.startsWith('../')) continue;
    const apply = () => {
      node.$ref = `#${places.get(target)}${fragment}`;
    };
    if (places.has(target)) apply();
    else yield { path: target, apply };
  }
}
