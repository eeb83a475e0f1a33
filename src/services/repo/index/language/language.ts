// A language as a value: which files are in it, which grammar reads them, and one query that says what in its trees is
// a definition, an import, a call. The words of the queries are the same for all languages; see `Capture`.

/**
 * Capture names of a query. A definition is the whole node, named by its kind, with a `name` inside; `within` gives others
 * their qualified name and is not a symbol itself; `scope` is a qualifier at the definition.
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
  /** The folder of its grammar, and what it adds to the base names. */
  grammar: string;
  extensions: readonly string[];
  /** Whole names of files without a telling extension. */
  names?: readonly string[];
  query: string;
  /** What `inner` names in its trees is text in the same language that the grammar leaves unread, as in Rust's macros. */
  unread?: string;
  /** Prefixes of line comments. */
  lineComment?: readonly string[];
  /** Position of a definition's comment: above it, or as the first text inside. */
  docs: 'above' | 'inside' | 'none';
  /** Whether other files can use a definition, as far as its own text shows. */
  isExported?(name: string, signature: string): boolean;
  /** Languages that call each other's definitions have the same family. */
  family?: string;
}

export function defineLanguage(language: Language): Language {
  return language;
}
