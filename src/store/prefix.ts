// Rows whose key begins with a text, as a range that an index serves. PostgreSQL compares by the database's language, where
// a range is something else, unless it is told to compare bytes; the index for that is a migration's.
import { type Sql, sql } from './sql.ts';
import type { Store } from './store.ts';

/** `prefix` is of ASCII characters below `~`. */
export function hasPrefix({ dialect }: Pick<Store, 'dialect'>, column: Sql, prefix: string): Sql {
  const end = prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
  const bytes = dialect === 'postgres' ? sql`${column} collate "C"` : column;
  return sql`${bytes} >= ${prefix} and ${bytes} < ${end}`;
}
