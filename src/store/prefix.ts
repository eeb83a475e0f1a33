// Selects rows whose key begins with a text, as a range that an index supports. PostgreSQL must compare bytes for this, not by
// the database's language; a migration creates the index.
import { type Sql, sql } from './sql.ts';
import type { Store } from './store.ts';

/** `prefix` consists of ASCII characters below `~`. */
export function hasPrefix({ dialect }: Pick<Store, 'dialect'>, column: Sql, prefix: string): Sql {
  const end = prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
  const bytes = dialect === 'postgres' ? sql`${column} collate "C"` : column;
  return sql`${bytes} >= ${prefix} and ${bytes} < ${end}`;
}
