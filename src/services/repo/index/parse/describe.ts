// Turns parse results into nodes: a file and its symbols, with the words for the index.
import { hashHex } from '../../../../core/crypto.ts';
import { redact, redactDeep } from '../../../../core/secret/redact.ts';
import type { DerivedFile, DerivedNode } from '../../../../graph/derived/derived.ts';
import type { Describer, Terms } from '../../../../graph/derived/document.ts';
import type { Language } from '../language/language.ts';
import { nameFile, nameSymbol } from '../names.ts';
import { hasWords } from '../path-filter.ts';
import type { FileFacts, SymbolFacts } from './facts.ts';
import type { SourceText } from './source.ts';

export interface Described {
  project: string;
  path: string;
  language: Language | undefined;
  source: SourceText;
  facts: FileFacts | undefined;
}

const shownNames = 100;
const noLinks = { imports: [], calls: [], parents: [], mentions: [], owners: [] };

/** `mark` is what else its state depends on: the way of indexing, and the model. */
export function describeFile(
  { project, path, language, source, facts: given }: Described,
  describer: Describer,
  mark: string,
): DerivedFile {
  const text = redact(source.text).text;
  // If the whole text has no secret, its parts have none; otherwise every part is checked.
  const isClean = text === source.text;
  const facts = isClean ? given : redactDeep(given);
  const symbols = facts?.symbols ?? [];
  const id = nameFile(project, path);
  const ids = nameAll(id, symbols);
  const name = language?.name ?? 'text';
  // A part of a secret may not look like one, so only the whole text is indexed then.
  const whole = { bodies: [], rest: hasWords(path) ? text : '' };
  const cut = isClean && !isData(language) ? cutBodies(symbols, text.split('\n')) : whole;
  const bodies = cut.bodies.map((body) => describer.analyze(body));
  const vectors: Int8Array[] = [];
  const make = (draft: Draft) => makeNode(describer, draft, vectors);
  const nodes = [
    make({
      id,
      kind: 'file',
      title: path,
      text: summarise(path, name, facts),
      also: [...bodies, describer.analyze(cut.rest)],
      data: { path, language: name, lines: countLines(text), size: source.size, hash: source.hash },
    }),
    ...symbols.map((symbol, at) => {
      const body = bodies[at];
      return describeSymbol(make, { id: ids[at] as string, path, language: name, body }, symbol);
    }),
  ];
  return {
    id,
    path,
    language: name,
    family: language?.family ?? name,
    size: source.size,
    modified: source.modified,
    hash: source.hash + mark,
    nodes,
    vectors: joinVectors(vectors),
    links: JSON.stringify(facts?.links ?? noLinks),
  };
}

interface SymbolPlace {
  id: string;
  path: string;
  language: string;
  /** Of its own lines. */
  body: Terms | undefined;
}

function describeSymbol(
  make: (draft: Draft) => DerivedNode,
  { id, path, language, body }: SymbolPlace,
  symbol: SymbolFacts,
): DerivedNode {
  const { name, qualified, kind, start, end, signature, doc, exported } = symbol;
  const node = make({
    id,
    kind: 'symbol',
    title: `${qualified} ${path}`,
    text: doc === '' ? signature : `${signature}\n${doc}`,
    also: body ? [body] : [],
    data: { path, language, name, qualified, symbol: kind, start, end, ...(exported && { exported }) },
  });
  return { ...node, parent: symbol.parent + 1, name: { name, qualified, kind } };
}

/** Files without bodies. */
const isData = (language: Language | undefined) =>
  language === undefined || language.docs === 'none' || ['yaml', 'toml', 'css'].includes(language.name);

/** The lines of each symbol without nested symbols, which are indexed separately, and the lines outside all symbols. */
function cutBodies(symbols: readonly SymbolFacts[], lines: readonly string[]): { bodies: string[]; rest: string } {
  const owner = new Int32Array(lines.length).fill(-1);
  // Outer ones come before inner ones.
  for (const [at, { start, end }] of symbols.entries()) owner.fill(at, start - 1, end);
  const bodies = symbols.map((): string[] => []);
  const rest: string[] = [];
  for (const [line, at] of owner.entries()) (bodies[at] ?? rest).push(lines[line] as string);
  return { bodies: bodies.map((body) => body.join('\n')), rest: rest.join('\n') };
}

interface Draft {
  id: string;
  kind: string;
  title: string;
  text: string;
  data: object;
  also: readonly Terms[];
}

function makeNode(describer: Describer, draft: Draft, vectors: Int8Array[]): DerivedNode {
  const { id, kind, title, text, data, also } = draft;
  const { vector, terms, length } = describer.describe(title, text, also);
  if (vector) vectors.push(vector);
  const indexed = hashHex(`${title}\n${text}\n${terms}`).slice(0, 10);
  return { id, kind, title, text, data: JSON.stringify(data), indexed, terms, length };
}

function joinVectors(vectors: readonly Int8Array[]): Int8Array | undefined {
  const [first] = vectors;
  if (!first) return undefined;
  const joined = new Int8Array(vectors.length * first.length);
  for (const [at, vector] of vectors.entries()) joined.set(vector, at * first.length);
  return joined;
}

/** Equal names in a file are distinguished by their position among them. */
function nameAll(file: string, symbols: readonly SymbolFacts[]): string[] {
  const seen = new Map<string, number>();
  return symbols.map(({ qualified }) => {
    const ordinal = seen.get(qualified) ?? 0;
    seen.set(qualified, ordinal + 1);
    return nameSymbol(file, qualified, ordinal);
  });
}

function summarise(path: string, language: string, facts: FileFacts | undefined): string {
  const symbols = facts?.symbols ?? [];
  const headings = symbols.filter(({ kind }) => kind === 'heading').map(({ name }) => name);
  const exported = symbols.filter((one) => one.exported && one.parent < 0 && one.kind !== 'heading');
  const names = [...new Set(exported.map(({ name }) => name))].slice(0, shownNames);
  return [`${path} (${language})`, facts?.head ?? '', names.join(', '), headings.slice(0, shownNames).join('\n')]
    .filter((part) => part !== '')
    .join('\n');
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return text.endsWith('\n') ? lines - 1 : lines;
}
