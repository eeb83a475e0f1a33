// The indexed trees of files: their location, options and last operation.
import { list, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';

export interface DerivedTree {
  tree: string;
  project: string;
  root: string;
  /** Private to the service, as JSON. */
  options: string;
  /** The operation that last read the tree or will read it. */
  operation: string;
}

/** The column has an older name. */
const columns = sql`tree, project, root, wishes as options, operation`;

type Reading = Pick<Store, 'all' | 'one'>;

export async function storeTree(store: Store, { tree, project, root, options, operation }: DerivedTree): Promise<void> {
  await store.run(
    sql`insert into derived_tree (tree, project, root, wishes, operation)
        values (${tree}, ${project}, ${root}, ${options}, ${operation})
        on conflict (tree) do update set root = excluded.root, wishes = excluded.wishes, operation = excluded.operation`,
  );
}

export async function findTree(store: Reading, tree: string): Promise<DerivedTree | undefined> {
  return store.one<DerivedTree>(sql`select ${columns} from derived_tree where tree = ${tree}`);
}

export async function listTrees(store: Reading, projects: readonly string[]): Promise<DerivedTree[]> {
  return store.all<DerivedTree>(
    sql`select ${columns} from derived_tree where project in ${list(projects)} order by tree`,
  );
}

export async function dropTree(store: Store, tree: string): Promise<void> {
  await store.run(sql`delete from derived_tree where tree = ${tree}`);
}
