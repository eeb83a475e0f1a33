// Updates edges that a change in another file creates or breaks: a called name may become defined, ambiguous or undefined. The
// files that mention such a name are linked again. They are found by searching their text, because an index by name would cost
// every file more than this costs the few relevant changes.
import { list, sql } from '../../store/sql.ts';
import type { DerivedFile, Deriving } from './derived.ts';

export interface Renewal {
  /** Call before the derived data of files is replaced. */
  replacing(files: readonly DerivedFile[]): Promise<void>;
  /** Call before files are removed. */
  removing(ids: readonly string[]): Promise<void>;
  /** Marks files that mention added or removed names for linking. Returns their number. */
  settle(signal: AbortSignal): Promise<number>;
}

const filesAtOnce = 100;
const few = 40;
/** A name in a file's links: its last part, since it may include a module or path. */
const nameInLinks = /([\p{L}\p{N}_$#-]+)(?:\.[a-z]{1,4})?"/gu;

export function createRenewal(deriving: Deriving): Renewal {
  const { store, project } = deriving;
  const names = new Set<string>();

  async function readNames(ids: readonly string[]): Promise<Map<string, Set<string>>> {
    const found = new Map<string, Set<string>>();
    for (let at = 0; at < ids.length; at += filesAtOnce) {
      const some = list(ids.slice(at, at + filesAtOnce));
      const rows = await store.all<{ id: string; path: string; nodes: string }>(
        sql`select id, path, nodes from derived where id in ${some}`,
      );
      for (const { id, path, nodes } of rows) {
        const known = (JSON.parse(nodes) as [string, string, string?][]).flatMap(([, , folded]) => folded ?? []);
        found.set(id, new Set([...known, stemOf(path)]));
      }
    }
    return found;
  }

  return {
    async replacing(files) {
      const before = await readNames(files.map(({ id }) => id));
      for (const { id, path, nodes } of files) {
        const known = before.get(id) ?? new Set<string>();
        const now = new Set([...nodes.flatMap(({ name }) => name?.name.toLowerCase() ?? []), stemOf(path)]);
        for (const name of now) if (!known.has(name)) names.add(name);
        for (const name of known) if (!now.has(name)) names.add(name);
      }
    },
    async removing(ids) {
      for (const known of (await readNames(ids)).values()) for (const name of known) names.add(name);
    },
    async settle(signal) {
      let count = 0;
      const isMeant = createTest(names);
      for (let last = ''; names.size > 0; ) {
        signal.throwIfAborted();
        const rows = await store.all<{ id: string; path: string; links: string; linked: number }>(
          sql`select id, path, links, linked from derived where project = ${project} and path > ${last}
              order by path limit ${filesAtOnce}`,
        );
        const meant = rows.filter(({ linked, links }) => linked === 1 && isMeant(links)).map(({ id }) => id);
        if (meant.length > 0) await store.run(sql`update derived set linked = 2 where id in ${list(meant)}`);
        count += meant.length;
        if (rows.length < filesAtOnce) break;
        last = rows.at(-1)?.path as string;
      }
      names.clear();
      return count;
    },
  };
}

/** A few names are searched directly, which is faster than extracting every name. */
function createTest(names: ReadonlySet<string>): (links: string) => boolean {
  if (names.size <= few) {
    const any = [...names].map((name) => name.replace(/[^\p{L}\p{N}_]/gu, '\\$&')).join('|');
    const pattern = new RegExp(`(?<![\\w$])(?:${any})(?:\\.[a-z]{1,4})?"`, 'i');
    return (links) => pattern.test(links);
  }
  return (links) => {
    for (const [, name = ''] of links.matchAll(nameInLinks)) if (names.has(name.toLowerCase())) return true;
    return false;
  };
}

/** The name by which imports refer to a file: its own, or its folder's for an index file. */
function stemOf(path: string): string {
  const [name = '', folder = ''] = path.toLowerCase().split('/').reverse();
  const stem = name.replace(/\.[^.]*$/, '');
  return ['index', '__init__', 'mod'].includes(stem) && folder !== '' ? folder : stem;
}
