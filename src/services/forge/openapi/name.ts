// Names of operations: readable, unique within a document, and the same whatever the order of its paths.
import { hashHex } from '../../../core/crypto.ts';

/** With a source's name before it, the name of a tool has at most 55 characters. */
const longestName = 42;
const hashDigits = 6;

export interface Nameable {
  /** Identifies the operation in its document: `get /pets/{id}`. */
  key: string;
  id: string;
}

/** The names by key. Operations in `previous` keep their names. */
export function nameOperations(
  operations: readonly Nameable[],
  previous: ReadonlyMap<string, string> = new Map(),
): Map<string, string> {
  const wanted = new Map(operations.map(({ key, id }) => [key, shorten(slugOf(id) || slugOf(key), key)]));
  const counts = new Map<string, number>();
  for (const name of wanted.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const assign = (key: string, name: string) => {
    names.set(key, name);
    taken.add(name);
  };
  for (const { key } of operations) {
    const name = previous.get(key);
    if (name !== undefined && !taken.has(name)) assign(key, name);
  }
  for (const [key, name] of [...wanted].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (names.has(key)) continue;
    const isFree = counts.get(name) === 1 && !taken.has(name);
    assign(key, isFree ? name : withHash(name, key));
  }
  return names;
}

/** `getUserByID` and `get /user/{id}` become `get_user_by_id` and `get_user_by_id`. */
function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\{([^}]*)\}/g, ' by $1 ')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}

function shorten(name: string, key: string): string {
  return name.length > longestName ? withHash(name, key) : name || withHash('call', key);
}

function withHash(name: string, key: string): string {
  const hash = hashHex(key).slice(0, hashDigits);
  return `${name.slice(0, longestName - hashDigits - 1).replace(/_$/, '')}_${hash}`;
}
