// What search_code found, as text: for a model, paths with numbered lines below them; for a person the same with its paths
// bold. It is the repository's own text, shown as it is and fenced as data.
import { fenceLines, showHidden } from '../../../core/text/fence.ts';
import { countOf, inOneLine, type Style } from '../../../core/text/terminal.ts';
import type { FileFound, PlaceFound } from './group.ts';

export interface Shown {
  mode: string;
  files: readonly FileFound[];
  total: number;
  partial?: string | undefined;
  index: string;
  next_cursor?: string | undefined;
}

export function renderFound(found: Shown): string {
  if (found.files.length === 0) return [`Nothing was found (${found.mode} search).`, ...notes(found)].join('\n');
  const same = (text: string) => text;
  const files = found.files.map((file) => showFile(file, same, same)).join('\n\n');
  return [countFound(found), fenceLines([files]), ...notes(found)].join('\n');
}

function countFound({ mode, total }: Shown): string {
  return `${countOf(total, mode === 'semantic' ? 'file' : 'place')} · ${mode} search`;
}

export function showFound(found: Shown, style: Style): string {
  const head = style.dim(countFound(found));
  const files = found.files.map((file) => showFile(file, style.bold, showHidden));
  return [head, ...files, ...notes(found).map(style.dim)].join('\n\n');
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
  // A definition is longer than what is shown of it.
  if (symbol !== undefined) return [`${inOneLine(symbol)} (${start}-${end})`, ...rows];
  return found ? [...rows, '--'] : rows;
}

function notes({ index, partial, next_cursor: next, mode }: Shown): string[] {
  return [
    ...(partial === 'timeout' ? ['Stopped for time: there may be more.'] : []),
    ...(partial === 'limit' ? ['Stopped at the most that is looked at: there is more. Narrow it down.'] : []),
    ...(next === undefined ? [] : [`There are more: cursor ${next}`]),
    ...(mode === 'literal' || mode === 'regex' ? [] : (indexNotes[index] ?? [])),
  ];
}

const indexNotes: Record<string, string[]> = {
  none: ['There is no index yet: index_repository makes these results better.'],
  indexing: ['The index is still being made: what it has so far was asked.'],
  partial: ['The index is not complete: index_repository completes it.'],
};
