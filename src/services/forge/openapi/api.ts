// A document with its operations. Opening lists them by name; an operation is read when it is used.
import { LoreError } from '../../../core/error.ts';
import { didYouMean } from '../../../core/text/similar-names.ts';
import type { GraphqlCall } from '../graphql/convert.ts';
import { type ApiDocument, asList, asObject, asText, type JsonObject } from './document.ts';
import { type Nameable, nameOperations } from './name.ts';
import { readOpenApi3 } from './openapi3.ts';
import { type ApiOperation, effectOf, type Parameter } from './operation.ts';
import { Resolver } from './resolver.ts';
import { readSecurity } from './security.ts';
import { readSwagger2 } from './swagger2.ts';

/** It opens a tunnel instead of a request. */
const tunnel = 'CONNECT';
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

interface OperationEntry extends Nameable {
  method: string;
  path: string;
  item: JsonObject;
  node: JsonObject;
}

export class Api {
  readonly document: ApiDocument;
  readonly resolver: Resolver;
  /** By name, in the order of the document. */
  readonly #entries = new Map<string, OperationEntry>();
  readonly #read = new Map<string, ApiOperation>();

  /** `previous`: the names of operations by key, as `keys` returned them; they are kept. */
  constructor(document: ApiDocument, previous?: ReadonlyMap<string, string>) {
    this.document = document;
    this.resolver = new Resolver(document);
    const entries = [...this.#listEntries()];
    const names = nameOperations(entries, previous);
    for (const entry of entries) this.#entries.set(names.get(entry.key) as string, entry);
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  /** The name of each operation by its key. */
  get keys(): Map<string, string> {
    return new Map([...this.#entries].map(([name, { key }]) => [key, name]));
  }

  operation(name: string): ApiOperation {
    const known = this.#read.get(name);
    if (known) return known;
    const entry = this.#entries.get(name);
    if (!entry) {
      throw new LoreError('not_found', `Cannot use operation "${name}": the document has none of this name`, {
        ...(didYouMean(name, this.names) && { hint: didYouMean(name, this.names) as string }),
      });
    }
    const operation = this.#readOperation(name, entry);
    this.#read.set(name, operation);
    return operation;
  }

  *#listEntries(): Generator<OperationEntry> {
    for (const [path, value] of Object.entries(asObject(this.document.root.paths))) {
      if (path.startsWith('x-')) continue;
      const item = this.#followItem(value);
      const additional = Object.entries(asObject(item.additionalOperations));
      const usual = methods.map((method): [string, unknown] => [method, item[method]]);
      for (const [method, given] of [...usual, ...additional]) {
        const node = asObject(given);
        if (given === undefined || !/^[\w!#$%&'*+.^`|~-]+$/.test(method) || method.toUpperCase() === tunnel) continue;
        yield {
          key: `${method} ${path}`,
          id: asText(node.operationId),
          method: method.toUpperCase(),
          path,
          item,
          node,
        };
      }
    }
  }

  /** A path that cannot be resolved is skipped: the others work. */
  #followItem(value: unknown): JsonObject {
    try {
      return this.resolver.follow(value, true);
    } catch {
      return {};
    }
  }

  #readOperation(name: string, { key, method, path, item, node }: OperationEntry): ApiOperation {
    const graphql = asObject(this.document.root['x-forge'])[key] as GraphqlCall | undefined;
    const read = this.document.version === '2.0' ? readSwagger2 : readOpenApi3;
    const parts = read(this.document, this.resolver, item, node);
    return {
      name,
      method,
      path,
      summary: asText(node.summary) || asText(item.summary),
      description: asText(node.description) || asText(item.description),
      tags: asList(node.tags).map(String),
      effect: graphql?.effect ?? effectOf(method, name),
      graphql,
      isDeprecated: node.deprecated === true,
      security: readSecurity(this.document, this.resolver, node),
      ...parts,
      parameters: addUndeclared(path, parts.parameters),
    };
  }
}

/** Some documents forget to declare the parameters in a path. */
function addUndeclared(path: string, parameters: readonly Parameter[]): readonly Parameter[] {
  const declared = new Set(parameters.filter((one) => one.in === 'path').map(({ name }) => name));
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  const missing = [...new Set(names)].filter((name) => !declared.has(name));
  return [
    ...parameters,
    ...missing.map((name): Parameter => {
      const isTaken = parameters.some(({ argument }) => argument === name);
      return {
        name,
        argument: isTaken ? `${name}_path` : name,
        in: 'path',
        isRequired: true,
        description: '',
        schema: {},
        mediaType: undefined,
        innerDelimiters: [],
        style: 'simple',
        explode: false,
        allowReserved: false,
      };
    }),
  ];
}
