// Reads the schema definition language of GraphQL: only what the forge needs, so that no parser has to be installed.
import { LoreError } from '../../../core/error.ts';
import type { GraphqlField, GraphqlInput, GraphqlSchema, GraphqlType } from './schema.ts';

/** Block strings, strings, names, numbers and punctuation; comments and commas separate. */
const token =
  /"""((?:\\"""|[^"]|"(?!""))*)"""|"((?:\\.|[^"\\\n])*)"|([A-Za-z_]\w*)|(-?\d[\w.+-]*)|(\.\.\.|[!$&()[\]{}:=@|])|#[^\n]*|[\s,\uFEFF]+/y;
const closing: { readonly [opening: string]: string } = { '(': ')', '[': ']', '{': '}' };

export function isSdl(text: string): boolean {
  // Most documents are JSON, and may be large.
  if (/^\s*[{[]/.test(text)) return false;
  return (
    /^[ \t]*(?:extend[ \t]+)?(?:type|schema|interface)\b[^\n{:]*\{/m.test(text) &&
    !/^[ \t]*(?:openapi|swagger)[ \t]*:/m.test(text)
  );
}

class SdlReader {
  readonly #tokens: { text: string; isString: boolean }[] = [];
  #at = 0;

  constructor(text: string) {
    token.lastIndex = 0;
    for (let at = 0; at < text.length; at = token.lastIndex) {
      const match = token.exec(text);
      if (!match) throw refuse(text.slice(at, at + 20));
      const [, block, plain, name, number, mark] = match;
      const string = block ?? plain;
      if (string !== undefined) this.#tokens.push({ text: string.replace(/\\(["\\])/g, '$1'), isString: true });
      else if (name ?? number ?? mark) this.#tokens.push({ text: (name ?? number ?? mark) as string, isString: false });
    }
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  peek(): string {
    const next = this.#tokens[this.#at];
    return next && !next.isString ? next.text : '';
  }

  take(expected?: string): string {
    const text = this.peek();
    if (text === '' || (expected !== undefined && text !== expected))
      throw refuse(this.#tokens[this.#at]?.text ?? 'its end');
    this.#at++;
    return text;
  }

  skip(text: string): boolean {
    const isNext = this.peek() === text;
    if (isNext) this.#at++;
    return isNext;
  }

  description(): string {
    const next = this.#tokens[this.#at];
    if (!next?.isString) return '';
    this.#at++;
    return next.text.trim();
  }

  type(): string {
    const inner = this.skip('[') ? `[${this.type()}${this.take(']')}` : this.take();
    return this.skip('!') ? `${inner}!` : inner;
  }

  /** A value: its text does not matter. */
  skipValue(): void {
    const next = this.#tokens[this.#at++];
    const end = next && !next.isString ? closing[next.text] : undefined;
    if (end !== undefined) while (!this.isAtEnd && !this.skip(end)) this.skipValue();
    // A variable, an enum value or a number is one token.
    if (next?.text === '$') this.#at++;
  }

  /** The names of directives. */
  directives(): string[] {
    const names: string[] = [];
    while (this.skip('@')) {
      names.push(this.take());
      if (this.peek() === '(') this.skipValue();
    }
    return names;
  }

  list<T>(open: string, read: (description: string) => T): T[] {
    const items: T[] = [];
    if (!this.skip(open)) return items;
    while (!this.skip(closing[open] as string)) items.push(read(this.description()));
    return items;
  }
}

export function readSdl(text: string): GraphqlSchema {
  const reader = new SdlReader(text);
  const types = new Map<string, GraphqlType>(
    ['Int', 'Float', 'String', 'Boolean', 'ID'].map((name) => [name, emptyType(name, 'scalar', '')]),
  );
  const roots = { query: 'Query', mutation: 'Mutation' };
  while (!reader.isAtEnd) {
    const description = reader.description();
    reader.skip('extend');
    const word = reader.take();
    if (word === 'schema') {
      reader.directives();
      for (const [name, type] of reader.list('{', () => readRoot(reader))) {
        if (name === 'query' || name === 'mutation') roots[name] = type;
      }
    } else if (word === 'directive') skipDirective(reader);
    else {
      const read = readType(reader, word, description);
      const known = types.get(read.name);
      types.set(read.name, known ? mergeTypes(known, read) : read);
    }
  }
  linkInterfaces(types);
  const existing = (name: string) => (types.has(name) ? name : '');
  return { types, query: existing(roots.query), mutation: existing(roots.mutation) };
}

function readRoot(reader: SdlReader): [name: string, type: string] {
  const name = reader.take();
  reader.take(':');
  return [name, reader.type()];
}

/** The implementations of each interface, which introspection lists as well. */
const implemented = new WeakMap<GraphqlType, readonly string[]>();

function linkInterfaces(types: Map<string, GraphqlType>): void {
  for (const type of [...types.values()]) {
    for (const name of implemented.get(type) ?? []) {
      const target = types.get(name);
      if (target && type.kind === 'object') types.set(name, { ...target, names: [...target.names, type.name] });
    }
  }
}

function readType(reader: SdlReader, word: string, description: string): GraphqlType {
  const kind = word === 'type' ? 'object' : (word as GraphqlType['kind']);
  if (!['scalar', 'object', 'interface', 'union', 'enum', 'input'].includes(kind)) throw refuse(word);
  const name = reader.take();
  const interfaces: string[] = [];
  if (reader.skip('implements')) {
    reader.skip('&');
    do interfaces.push(reader.take());
    while (
      reader.skip('&') ||
      (reader.peek() !== '{' && reader.peek() !== '@' && reader.peek() !== '' && /^[A-Z_]/.test(reader.peek()))
    );
  }
  reader.directives();
  const type = { ...emptyType(name, kind, description) };
  const made: GraphqlType = {
    ...type,
    fields: kind === 'object' || kind === 'interface' ? reader.list('{', (text) => readField(reader, text)) : [],
    inputs: kind === 'input' ? reader.list('{', (text) => readInput(reader, text)) : [],
    names: kind === 'enum' ? reader.list('{', () => readValue(reader)) : kind === 'union' ? readMembers(reader) : [],
  };
  implemented.set(made, interfaces);
  return made;
}

function readField(reader: SdlReader, description: string): GraphqlField {
  const name = reader.take();
  const args = reader.list('(', (text) => readInput(reader, text));
  reader.take(':');
  const type = reader.type();
  return { name, description, args, type, isDeprecated: reader.directives().includes('deprecated') };
}

function readInput(reader: SdlReader, description: string): GraphqlInput {
  const name = reader.take();
  reader.take(':');
  const type = reader.type();
  const hasDefault = reader.skip('=');
  if (hasDefault) reader.skipValue();
  reader.directives();
  return { name, description, type, hasDefault };
}

function readValue(reader: SdlReader): string {
  const name = reader.take();
  reader.directives();
  return name;
}

function readMembers(reader: SdlReader): string[] {
  const names: string[] = [];
  if (!reader.skip('=')) return names;
  reader.skip('|');
  do names.push(reader.take());
  while (reader.skip('|'));
  return names;
}

function skipDirective(reader: SdlReader): void {
  reader.take('@');
  reader.take();
  if (reader.peek() === '(') reader.skipValue();
  reader.skip('repeatable');
  reader.take('on');
  reader.skip('|');
  do reader.take();
  while (reader.skip('|'));
}

function emptyType(name: string, kind: GraphqlType['kind'], description: string): GraphqlType {
  return { name, kind, description, fields: [], inputs: [], names: [] };
}

function mergeTypes(a: GraphqlType, b: GraphqlType): GraphqlType {
  const merged = {
    ...a,
    fields: [...a.fields, ...b.fields],
    inputs: [...a.inputs, ...b.inputs],
    names: [...a.names, ...b.names],
  };
  implemented.set(merged, [...(implemented.get(a) ?? []), ...(implemented.get(b) ?? [])]);
  return merged;
}

function refuse(found: string): LoreError {
  return new LoreError('invalid_input', `Cannot read the GraphQL schema: unexpected "${found}"`);
}
