// Chooses the fields that a GraphQL query asks for, if the caller chooses none: scalars, and those of the next level.
import { type GraphqlField, type GraphqlSchema, type GraphqlType, isNeeded, namedType } from './schema.ts';

/** Enough to be useful, and few enough for the limits of public APIs. */
const mostLeaves = 60;
const deepest = 1;
const pageInfo = 'pageInfo { hasNextPage endCursor }';

export class FieldSelector {
  readonly #schema: GraphqlSchema;
  #left = mostLeaves;

  constructor(schema: GraphqlSchema) {
    this.#schema = schema;
  }

  /** With braces; empty for a scalar. */
  select(type: string, depth = 0): string {
    const target = this.#schema.types.get(namedType(type));
    if (!target || target.kind === 'scalar' || target.kind === 'enum') return '';
    if (target.kind === 'union') return this.#selectMembers(target, depth);
    const connection = this.#selectConnection(target, depth);
    if (connection) return connection;
    const fields = [...this.#listFields(target, depth)];
    if (target.kind === 'interface') fields.unshift('__typename');
    return fields.length === 0 ? '{ __typename }' : `{ ${fields.join(' ')} }`;
  }

  *#listFields(
    target: GraphqlType,
    depth: number,
    alias: (field: GraphqlField) => string = () => '',
  ): Generator<string> {
    const usable = target.fields.filter((field) => !field.isDeprecated && !field.args.some(isNeeded));
    const isLeaf = ({ type }: GraphqlField) =>
      ['scalar', 'enum'].includes(this.#schema.types.get(namedType(type))?.kind ?? 'scalar');
    for (const field of usable.filter(isLeaf)) if (this.#left-- > 0) yield `${alias(field)}${field.name}`;
    if (depth >= deepest) return;
    for (const field of usable.filter((one) => !isLeaf(one))) {
      if (this.#left <= 0) return;
      const pages = field.args.some(({ name, type }) => name === 'first' && type === 'Int') ? '(first: 10)' : '';
      yield `${alias(field)}${field.name}${pages} ${this.select(field.type, depth + 1)}`;
    }
  }

  /** A page of a list: its nodes, and where the next page begins. */
  #selectConnection({ fields }: GraphqlType, depth: number): string | undefined {
    const of = (name: string) => fields.find((field) => field.name === name && !field.args.some(isNeeded));
    const [nodes, edges] = [of('nodes'), of('edges')];
    const node = edges && this.#schema.types.get(namedType(edges.type))?.fields.find(({ name }) => name === 'node');
    if (!of('pageInfo') || !(nodes ?? node)) return undefined;
    const items = nodes
      ? `nodes ${this.select(nodes.type, depth)}`
      : `edges { node ${this.select((node as GraphqlField).type, depth)} }`;
    return `{ ${items} ${pageInfo} }`;
  }

  /** Members may have fields of the same name and different types, which need different names in one response. */
  #selectMembers({ names }: GraphqlType, depth: number): string {
    const members = names.flatMap((name) => this.#schema.types.get(name) ?? []);
    const types = new Map<string, Set<string>>();
    for (const { fields } of members)
      for (const { name, type } of fields) types.set(name, (types.get(name) ?? new Set()).add(type));
    const parts = members.flatMap((member) => {
      const alias = ({ name }: GraphqlField) => ((types.get(name)?.size ?? 1) > 1 ? `${member.name}_${name}: ` : '');
      const fields = [...this.#listFields(member, Math.max(depth, deepest), alias)];
      return fields.length === 0 ? [] : [`... on ${member.name} { ${fields.join(' ')} }`];
    });
    return `{ ${['__typename', ...parts].join(' ')} }`;
  }
}
