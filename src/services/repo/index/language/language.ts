// A language as a value: which files are in it, which grammar reads them, and one query that says what in its trees is
// a definition, an import, a call. The words of the queries are the same for all languages; see `Capture`.

/**
 * What a query may name. A definition is the whole of it, named by its kind, with a `name` inside; `within` is what gives
 * others their qualified name and is no symbol itself; `scope` is a qualifier that stands at the definition.
 */
export const symbolKinds = [
  'function',
  'method',
  'class',
  'interface',
  'type',
  'enum',
  'module',
  'constant',
  'variable',
  'field',
  'macro',
  'heading',
] as const;

export type SymbolKind = (typeof symbolKinds)[number];

export interface Language {
  name: string;
  /** The folder of its grammar, and what it adds to the others' names. */
  grammar: string;
  extensions: readonly string[];
  /** Whole names of files without a telling extension. */
  names?: readonly string[];
  query: string;
  /** What `inner` names in its trees is text in the same language that the grammar leaves unread, as in Rust's macros. */
  unread?: string;
  /** What a line of comment begins with. */
  lineComment?: readonly string[];
  /** Where a definition's comment stands: above it, or as the first text inside. */
  docs: 'above' | 'inside' | 'none';
  /** Whether others can use a definition, as far as its own words tell. */
  isExported?(name: string, signature: string): boolean;
  /** Languages that call each other's definitions have the same family. */
  family?: string;
}

export function defineLanguage(language: Language): Language {
  return language;
}
