// Turns parse results into nodes: a file and its symbols, with the words for the index.
import { redact, redactDeep } from '../../../../core/secret/redact.ts';
import type { DerivedFile, DerivedNode } from '../../../../graph/derived/derived.ts';
import type { Describe, DescribedDocument, DocumentText } from '../../../../graph/derived/document.ts';
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
  describe: Describe,
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
  const { bodies, rest } = isClean && !isData(language) ? cutBodies(symbols, text.split('\n')) : whole;
  const drafts: NodeDraft[] = [
    {
      id,
      kind: 'file',
      title: path,
      text: summarise(path, name, facts),
      body: rest,
      data: { path, language: name, lines: countLines(text), size: source.size, hash: source.hash },
    },
    ...symbols.map((symbol, at) => draftSymbol(ids[at] as string, path, name, symbol, bodies[at] ?? '')),
  ];
  const { words, packed, documents, vectors } = describe(drafts);
  return {
    id,
    path,
    language: name,
    family: language?.family ?? name,
    size: source.size,
    modified: source.modified,
    hash: source.hash + mark,
    nodes: drafts.map(({ body: _, data, ...draft }, at) => ({
      ...draft,
      ...(documents[at] as DescribedDocument),
      data: JSON.stringify(data),
    })),
    vectors,
    terms: packed,
    words: words.join(' '),
    links: JSON.stringify(facts?.links ?? noLinks),
  };
}

interface NodeDraft extends DocumentText, Pick<DerivedNode, 'id' | 'kind' | 'parent' | 'name'> {
  data: object;
}

/** `body` is its own lines. */
function draftSymbol(id: string, path: string, language: string, symbol: SymbolFacts, body: string): NodeDraft {
  const { name, qualified, kind, start, end, signature, doc, exported } = symbol;
  return {
    id,
    kind: 'symbol',
    title: `${qualified} ${path}`,
    text: doc === '' ? signature : `${signature}\n${doc}`,
    body,
    data: { path, language, name, qualified, symbol: kind, start, end, ...(exported && { exported }) },
    parent: symbol.parent + 1,
    name: { name, qualified, kind },
  };
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
