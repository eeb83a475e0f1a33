// A GraphQL schema as the forge uses it. Types of fields and arguments are texts as in the language: `[User!]!`.

export interface GraphqlType {
  readonly name: string;
  readonly kind: 'scalar' | 'object' | 'interface' | 'union' | 'enum' | 'input';
  readonly description: string;
  /** Of an object or an interface. */
  readonly fields: readonly GraphqlField[];
  /** Of an input. */
  readonly inputs: readonly GraphqlInput[];
  /** The values of an enum, or the members of a union. */
  readonly names: readonly string[];
}

export interface GraphqlInput {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly hasDefault: boolean;
}

export interface GraphqlField extends Omit<GraphqlInput, 'hasDefault'> {
  readonly args: readonly GraphqlInput[];
  readonly isDeprecated: boolean;
}

export interface GraphqlSchema {
  readonly types: ReadonlyMap<string, GraphqlType>;
  /** The names of the types of queries and mutations; empty if there are none. */
  readonly query: string;
  readonly mutation: string;
}

/** `User` of `[User!]!`. */
export function namedType(type: string): string {
  return type.replace(/[[\]!\s]/g, '');
}

export function isNeeded({ type, hasDefault }: GraphqlInput): boolean {
  return type.endsWith('!') && !hasDefault;
}
