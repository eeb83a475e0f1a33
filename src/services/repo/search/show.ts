// What search_code found, as text: for a model, paths with numbered lines below them; for a person the same with its paths
// bold. It is the repository's own text, shown as it is and fenced as data.
import { fenceLines, showHidden } from '../../../core/text/fence.ts';
import { countOf, describeRange, inOneLine, moreLine, type Style } from '../../../core/text/terminal.ts';
import type { FileFound, PlaceFound } from './group.ts';

export interface ShownResult {
  mode: string;
  files: readonly FileFound[];
  total: number;
  partial?: string | undefined;
  index: string;
  next_cursor?: string | undefined;
}

export function renderFound(found: ShownResult): string {
  if (found.files.length === 0) return [`No results (${found.mode} search).`, ...notes(found)].join('\n');
  const same = (text: string) => text;
  const files = found.files.map((file) => showFile(file, same, same)).join('\n\n');
  return [countFound(found), fenceLines([files]), ...notes(found)].join('\n');
}

function countFound({ mode, total }: ShownResult): string {
  return `${countOf(total, mode === 'semantic' ? 'file' : 'place')} · ${mode} search`;
}

export function showFound(found: ShownResult, style: Style): string {
  const head = style.dim(countFound(found));
  const files = found.files.map((file) => showFile(file, style.bold, showHidden));
  const more = found.next_cursor === undefined ? [] : [moreLine];
  return [
    head,
    ...files,
    ...[...notes({ ...found, next_cursor: undefined }).map(nameCommand), ...more].map(style.dim),
  ].join('\n\n');
}

function showFile({ path, places }: FileFound, head: (path: string) => string, line: (text: string) => string): string {
  return [head(inOneLine(path)), ...places.flatMap((place) => showPlace(place, line))].join('\n');
}

function showPlace({ start, end, text, lines, symbol }: PlaceFound, show: (text: string) => string): string[] {
  const found = lines && new Set(lines);
  const rows = text.split('\n').map((row, at) => {
    const number = start + at;
    return `${number}${!found || found.has(number) ? ':' : '-'} ${show(row)}`;
  });
  // A definition may be longer than the shown part.
  if (symbol !== undefined) return [`${inOneLine(symbol)} (${describeRange(start, end)})`, ...rows];
  return found ? [...rows, '--'] : rows;
}

function notes({ index, partial, next_cursor: next, mode }: ShownResult): string[] {
  return [
    ...(partial === 'timeout' ? ['The search timed out; there may be more results.'] : []),
    ...(partial === 'limit' ? ['The search stopped at its limit; there are more results. Narrow it down.'] : []),
    ...(next === undefined ? [] : [`There are more: cursor ${next}`]),
    ...(mode === 'literal' || mode === 'regex' ? [] : (indexNotes[index] ?? [])),
  ];
}

const nameCommand = (note: string) => note.replace('index_repository', 'lore index repository');

const indexNotes: Record<string, string[]> = {
  none: ['There is no index yet; run index_repository for better results.'],
  indexing: ['Indexing is in progress; results may be incomplete.'],
  partial: ['The index is incomplete; run index_repository to complete it.'],
};
