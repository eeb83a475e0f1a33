// One step of a database's schema, as a service declares it. The statements come from the sql`` tag (store/sql.ts).

export type Dialect = 'sqlite' | 'postgres';

interface Statement {
  readonly parts: readonly string[];
  readonly values: readonly unknown[];
  text(placeholder: (index: number) => string): string;
}

export interface Migration {
  /** Unique and stable: the owner, a slash, and a name, such as 'graph/1-nodes'. They are applied in the order of their list. */
  readonly id: string;
  /** Statements for the dialect; most are the same for both. */
  up(dialect: Dialect): readonly Statement[];
}
