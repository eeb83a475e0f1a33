// Extracts facts from a syntax tree in one pass over the language's query. Everything is limited, because a file may be hostile.
import type { Node, Query, QueryMatch } from 'web-tree-sitter';
import { type Language, type SymbolKind, symbolKinds } from '../language/language.ts';
import { readDocAbove, readDocInside, readHead } from './comment.ts';
import type { CallFacts, FileFacts, ImportFacts, LinkFacts, SymbolFacts } from './facts.ts';

/** Longest parsing time, in ms; results up to then are kept. */
const longestMs = 2_000;
const mostSymbols = 4_000;
const mostCalls = 4_000;
const mostImports = 500;
const longestName = 160;
const longestSignature = 400;

interface Definition {
  node: Node;
  kind: SymbolKind | 'within';
  name: string;
  nameAt: number;
  scope: string | undefined;
}

interface Mark {
  at: number;
  name: string;
  on: string | undefined;
}

interface Found {
  definitions: Definition[];
  calls: Mark[];
  parents: Mark[];
  imports: Map<string, ImportFacts>;
}

const kinds: ReadonlySet<string> = new Set([...symbolKinds, 'within']);

/** Of one text, read in one piece or in several. */
export function extractFacts(roots: readonly Node[], query: Query, text: string, language: Language): FileFacts {
  const found: Found = { definitions: [], calls: [], parents: [], imports: new Map() };
  const until = performance.now() + longestMs;
  const progressCallback = () => performance.now() > until;
  for (const root of roots) for (const match of query.matches(root, { progressCallback })) sort(match, found);
  const lines = text.split('\n');
  const { symbols, places } = nameSymbols(found.definitions, text, lines, language);
  const links: LinkFacts = {
    imports: [...found.imports.values()].slice(0, mostImports),
    calls: own(found.calls, places),
    parents: own(found.parents, places),
    mentions: [],
    owners: symbols.map(({ qualified }) => qualified),
  };
  return { symbols, links, head: readHead(text, language) };
}

function sort({ captures }: QueryMatch, found: Found): void {
  const by = new Map(captures.map(({ name, node }) => [name, node]));
  const name = by.get('name');
  if (name) {
    const whole = captures.find((capture) => kinds.has(capture.name));
    if (!whole) return;
    const given = cleanName(name.text);
    // A name that names nothing, as Go and Rust have it.
    if (given === '' || given === '_') return;
    const kind = whole.name as Definition['kind'];
    const scope = by.get('scope');
    found.definitions.push({
      node: whole.node,
      kind,
      name: given,
      nameAt: name.startIndex,
      scope: scope && cleanName(scope.text),
    });
    return;
  }
  const from = by.get('import');
  if (from) return addImport(from.text, by, found.imports);
  const call = by.get('send') ?? by.get('call');
  if (call) {
    if (found.calls.length < mostCalls) {
      found.calls.push({ at: call.startIndex, name: call.text, on: readObject(by.get('object')) });
    }
    return;
  }
  const parent = by.get('parent');
  if (parent && found.parents.length < mostCalls) {
    found.parents.push({ at: parent.startIndex, name: parent.text, on: undefined });
  }
}

function addImport(written: string, by: ReadonlyMap<string, Node>, imports: Map<string, ImportFacts>): void {
  const from = written.replace(/^["'<`]|["'>`]$/g, '').slice(0, 300);
  const known = imports.get(from) ?? { from, names: [] };
  imports.set(from, known);
  const original = by.get('imported')?.text;
  const alias = by.get('alias')?.text;
  const whole = by.get('default')?.text;
  if (original !== undefined && known.names.length < 200) known.names.push([alias ?? original, original]);
  else if (whole !== undefined) known.names.push([whole, 'default']);
  else if (alias !== undefined) known.alias = alias;
}

/** Only a plain name identifies the receiver; `?` is anything else. */
function readObject(node: Node | undefined): string | undefined {
  if (!node) return undefined;
  if (node.endIndex - node.startIndex > 60) return '?';
  const { text } = node;
  return /^[\w$]+(?:(?:\.|::)[\w$]+)*$/.test(text) ? text : '?';
}

function cleanName(text: string): string {
  return text
    .replace(/^["'`]|["'`]$/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longestName);
}

/** The range of a symbol, outer ones before inner ones. */
type Place = readonly [start: number, end: number, symbol: number];

interface Open {
  start: number;
  end: number;
  qualified: string;
  symbol: number;
  kind: Definition['kind'];
}

function isAround({ start, end }: Open, startIndex: number, endIndex: number): boolean {
  return endIndex <= end && !(start === startIndex && end === endIndex);
}

function nameSymbols(definitions: Definition[], text: string, lines: readonly string[], language: Language) {
  const symbols: SymbolFacts[] = [];
  const places: Place[] = [];
  const open: Open[] = [];
  for (const definition of keepBest(definitions)) {
    const { node, name, scope } = definition;
    const { startIndex, endIndex } = node;
    // Several names of one declaration have the same range and are not nested.
    while (open.length > 0 && !isAround(open.at(-1) as Open, startIndex, endIndex)) open.pop();
    const outer = open.at(-1);
    const [short, qualifier] = splitName(name);
    const qualified = [outer?.qualified, scope ?? qualifier, short].filter(Boolean).join('.').slice(-400);
    let symbol = outer?.symbol ?? -1;
    if (definition.kind !== 'within') {
      if (symbols.length >= mostSymbols) break;
      const kind = definition.kind === 'function' && isInType(outer?.kind) ? 'method' : definition.kind;
      const parent = symbol;
      symbol = symbols.length;
      symbols.push({ ...describe(node, short, text, lines, language), name: short, qualified, kind, parent });
      places.push([startIndex, endIndex, symbol]);
    }
    open.push({ start: startIndex, end: endIndex, qualified, symbol, kind: definition.kind });
  }
  return { symbols, places };
}

function isInType(kind: Definition['kind'] | undefined): boolean {
  return kind === 'class' || kind === 'interface' || kind === 'within' || kind === 'enum';
}

/** A name that several patterns found is one definition: of the kinds, the first listed. */
function keepBest(definitions: readonly Definition[]): Definition[] {
  const best = new Map<number, Definition>();
  for (const definition of definitions) {
    const known = best.get(definition.nameAt);
    if (!known || rank(definition) < rank(known)) best.set(definition.nameAt, definition);
  }
  return [...best.values()].sort((a, b) => a.node.startIndex - b.node.startIndex || b.node.endIndex - a.node.endIndex);
}

function rank({ kind }: Definition): number {
  return kind === 'within' ? -1 : symbolKinds.indexOf(kind);
}

/** `Shape::area` is `area` of `Shape`. */
function splitName(name: string): [string, string | undefined] {
  const at = name.lastIndexOf('::');
  return at < 0 ? [name, undefined] : [name.slice(at + 2) || name, name.slice(0, at).replaceAll('::', '.')];
}

function describe(node: Node, name: string, text: string, lines: readonly string[], language: Language) {
  const { startIndex, startPosition, endPosition } = node;
  const body = node.childForFieldName('body');
  const lineStart = text.lastIndexOf('\n', startIndex - 1) + 1;
  const before = text.slice(Math.max(lineStart, startIndex - 200), startIndex);
  // Modifiers that the grammar keeps outside, such as `export` and `const`.
  const from = /^\s*[\w\s]*$/.test(before) ? startIndex - before.trimStart().length : startIndex;
  const end = body ? Math.min(body.startIndex, node.endIndex) : node.endIndex;
  const written = text.slice(from, Math.min(end, from + 4 * longestSignature));
  const signature = (body ? written : (written.split('\n', 1)[0] as string))
    .replace(/\s+/g, ' ')
    .replace(/\s*(?:\{|=>\s*\{?|=|:)?\s*$/, '')
    .slice(0, longestSignature);
  const doc =
    language.docs === 'none'
      ? ''
      : language.docs === 'inside' && body
        ? readDocInside(text.slice(body.startIndex, body.startIndex + 3_000))
        : readDocAbove(lines, startPosition.row, language);
  return {
    start: startPosition.row + 1,
    // A node that ends with its line break ends on the line before.
    end: Math.max(startPosition.row, endPosition.column === 0 ? endPosition.row - 1 : endPosition.row) + 1,
    signature,
    doc,
    exported: language.isExported?.(name, signature) ?? true,
  };
}

/** Each mark once for the innermost symbol around it. */
function own(marks: readonly Mark[], places: readonly Place[]): CallFacts[] {
  const calls = new Map<string, CallFacts>();
  const open: Place[] = [];
  let next = 0;
  for (const { at, name, on } of [...marks].sort((a, b) => a.at - b.at)) {
    while (next < places.length && (places[next] as Place)[0] <= at) {
      const place = places[next++] as Place;
      while (open.length > 0 && (open.at(-1) as Place)[1] <= place[0]) open.pop();
      open.push(place);
    }
    while (open.length > 0 && (open.at(-1) as Place)[1] <= at) open.pop();
    const owner = open.at(-1)?.[2] ?? -1;
    if (name.length < 2 || name.length > 100) continue;
    calls.set(`${owner} ${on ?? ''} ${name}`, on === undefined ? [owner, name] : [owner, name, on]);
  }
  return [...calls.values()];
}
