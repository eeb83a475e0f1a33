// Finds what a memory cites: files, with related symbols, lines and literals. A symbol without a file is not a citation,
// because it could not be checked. Uncertain relations are verified when a snapshot is taken.
import { extractEntities } from '../../../graph/entity/entity.ts';
import { type Sentence, splitSentences } from '../text/sentence.ts';

export interface Citation {
  /** As the entity is named: forward slashes, no `./`. */
  file: string;
  symbol?: string;
  line?: number;
  endLine?: number;
  /** The text itself ties the symbol to the file ("`open()` in a.ts"), rather than naming both in one breath. */
  sure: boolean;
  /** Numbers, versions and quoted words about the file that it may contain: `8443`. */
  said?: string[];
}

interface Place {
  name: string;
  start: number;
  end: number;
}

interface FilePlace extends Place {
  line?: number;
  endLine?: number;
}

export const maxCitations = 16;
const maxText = 20_000;
const maxPlaces = 64;
const maxSaid = 6;
/** In one sentence: more of either is a list, not a statement. */
const maxNear = 12;

const lineAfter =
  /^(?::(\d{1,6})(?:-(\d{1,6})|:\d{1,5})?|#L(\d{1,6})(?:-L?(\d{1,6}))?|\((\d{1,6})(?:,\d{1,5})?\)|[`"')]*,? ?\(?(?:on |at )?lines? (\d{1,6})(?:(?: ?[-–] ?| to )(\d{1,6}))?)/;
const lineBefore = /\blines? (\d{1,6})(?:(?: ?[-–] ?| to )(\d{1,6}))? (?:of|in) (?:the )?(?:file )?[`"']?$/i;
const symbolThenFile =
  /^[`"'()]{0,4},? ?(?:(?:is|are|lives?|sits|stands|defined|declared|implemented|exported|found) ){0,2}(?:in|of|from|at|inside|within|by)? ?(?:the )?(?:file )?[`"'(]{0,3}$/;
const fileThenSymbol =
  /^[`"'),:#]{0,4}(?:'s|::|→)? ?(?:(?:exports?|defines?|has|holds|contains|declares|implements|provides) )?(?:(?:the|a|an|its|function|method|class|type|interface|const|constant|symbol) ){0,2}[`"'(]{0,2}$/;
const literal = /`([^`\n]{2,60})`|"([^"\n]{3,60})"|(?<![\w./:-])(v?\d+(?:\.\d+)+|\d{3,})(?![\w/-]|\.\d)/g;

export function findCitations(text: string): Citation[] {
  const source = text.slice(0, maxText);
  const entities = extractEntities(source);
  const files = entities
    .filter(({ kind }) => kind === 'file')
    .flatMap(({ name, text }) => placesOf(source, withoutLine(text)).map((place) => ({ ...place, name })));
  if (files.length === 0) return [];
  const symbols = entities
    .filter(({ kind }) => kind === 'symbol')
    .flatMap(({ name, text }) => placesOf(source, text).map((place) => ({ ...place, name })));
  const placed = files.map((place) => readLines(source, place));
  return join(source, placed, symbols).slice(0, maxCitations);
}

function withoutLine(written: string): string {
  return written.replace(/(?::\d+(?:-\d+)?(?::\d+)?|#L\d+(?:-L?\d+)?)$/, '');
}

function placesOf(source: string, written: string): Omit<Place, 'name'>[] {
  const places: Omit<Place, 'name'>[] = [];
  for (let at = source.indexOf(written); at >= 0 && places.length < maxPlaces; at = source.indexOf(written, at + 1)) {
    const end = at + written.length;
    const isPart = /[\w/\\-]/.test(source[at - 1] ?? '') || /^(?:[\w/\\-]|\.\w)/.test(source.slice(end, end + 2));
    if (!isPart) places.push({ start: at, end });
  }
  return places;
}

function readLines(source: string, place: Place): FilePlace {
  const after = lineAfter.exec(source.slice(place.end, place.end + 40));
  const before = after ? undefined : lineBefore.exec(source.slice(Math.max(0, place.start - 40), place.start));
  const [line, endLine] = (after ?? before ?? [])
    .slice(1)
    .filter((part) => part !== undefined)
    .map(Number);
  const found: FilePlace = { ...place, end: place.end + (after?.[0].length ?? 0) };
  if (line !== undefined && line > 0) found.line = line;
  if (line !== undefined && endLine !== undefined && endLine > line) found.endLine = endLine;
  return found;
}

function join(source: string, files: FilePlace[], symbols: Place[]): Citation[] {
  const citations = new Map<string, Citation>();
  const sentences = splitSentences(source);
  const bySentence = groupBySentence(sentences, files);
  const only = new Set(files.map(({ name }) => name)).size === 1 ? files[0] : undefined;
  for (const [index, cited] of groupBySentence(sentences, symbols)) {
    const near = (bySentence.get(index) ?? []).slice(0, maxNear);
    const names = new Set(near.map(({ name }) => name));
    for (const symbol of cited.slice(0, maxNear)) {
      const sure = near.find((file) => isTied(source, file, symbol));
      const file = sure ?? (names.size === 1 ? near[0] : names.size === 0 ? only : undefined);
      if (file) add(citations, { file: file.name, symbol: symbol.name, sure: sure !== undefined });
    }
  }
  for (const { name, line, endLine } of files) {
    if (line !== undefined) add(citations, { file: name, line, ...(endLine ? { endLine } : {}), sure: true });
    else add(citations, { file: name, sure: true });
  }
  const order = [...new Set(files.map(({ name }) => name))];
  const said = saidOf(source, sentences, bySentence, [...files, ...symbols]);
  return [...citations.values()]
    .filter(({ file, symbol, line }) => symbol !== undefined || line !== undefined || !citesMore(citations, file))
    .sort((a, b) => order.indexOf(a.file) - order.indexOf(b.file))
    .map((citation) => {
      const words = said.get(citation.file) ?? new Set();
      return words.size > 0 ? { ...citation, said: [...words].slice(0, maxSaid) } : citation;
    });
}

/** A file that is named again with a line or a symbol is cited by that. */
function citesMore(citations: Map<string, Citation>, name: string): boolean {
  return [...citations.values()].some(
    ({ file, symbol, line }) => file === name && (symbol !== undefined || line !== undefined),
  );
}

function groupBySentence<T extends Place>(sentences: readonly Sentence[], places: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  let index = -1;
  for (const place of [...places].sort((a, b) => a.start - b.start)) {
    while ((sentences[index + 1]?.start ?? Number.POSITIVE_INFINITY) <= place.start) index++;
    const group = groups.get(index) ?? [];
    group.push(place);
    groups.set(index, group);
  }
  return groups;
}

function add(citations: Map<string, Citation>, citation: Citation): void {
  const key = `${citation.file}\n${citation.symbol ?? ''}\n${citation.line ?? ''}`;
  const known = citations.get(key);
  if (known) known.sure ||= citation.sure;
  else citations.set(key, citation);
}

function isTied(source: string, file: Place, symbol: Place): boolean {
  const isAfter = file.start >= symbol.end;
  const between = isAfter ? source.slice(symbol.end, file.start) : source.slice(file.end, symbol.start);
  return between.length < 60 && (isAfter ? symbolThenFile : fileThenSymbol).test(between);
}

/** The words about each file, in the sentences that name it. */
function saidOf(
  source: string,
  sentences: readonly Sentence[],
  bySentence: Map<number, FilePlace[]>,
  places: readonly Place[],
): Map<string, Set<string>> {
  const taken = new Uint8Array(source.length);
  for (const { start, end } of places) taken.fill(1, start, end);
  const said = new Map<string, Set<string>>();
  for (const [index, files] of bySentence) {
    const { start = 0, end = 0 } = sentences[index] ?? {};
    const free = [...source.slice(start, end).matchAll(literal)].filter(
      (match) => !taken.subarray(start + match.index, start + match.index + match[0].length).includes(1),
    );
    const words = free.map((match) => (match[1] ?? match[2] ?? match[3] ?? '').trim());
    for (const { name } of files.slice(0, maxNear))
      said.set(name, new Set([...(said.get(name) ?? []), ...words.slice(0, maxSaid)]));
  }
  return said;
}
