// An exact search with ripgrep. Its engine takes linear time for any pattern, so no pattern can hang it. The pattern follows
// `-e` and the path follows `--`, so neither can be an option.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { LoreError } from '../../../../core/error.ts';
import { bounds, cutLine, type ExactQuery, type ExactResult, type LineHit } from './hit.ts';
import { decodeBytes, runRipgrep } from './ripgrep.ts';

export interface Where {
  root: string;
  /** From the root; empty for all. */
  path: string;
  signal: AbortSignal;
}

export async function searchWithRipgrep(program: string, query: ExactQuery, where: Where): Promise<ExactResult> {
  const hits: LineHit[] = [];
  const read = createReader(hits);
  const ended = await runRipgrep(
    program,
    writeArguments(query, where),
    { folder: where.root, signal: where.signal },
    (lines) => {
      for (const line of lines) read(line);
      return hits.length < bounds.hits;
    },
  );
  // Status 2 with hits: some file could not be read.
  if (ended.status === 2 && hits.length === 0) refuseComplaint(query, ended.complaint);
  return { hits, ...(ended.stopped && { partial: ended.stopped }) };
}

export function writeArguments(
  { pattern, isRegex, caseSensitive, context, extensions }: ExactQuery,
  where: Where,
): string[] {
  return [
    '--null',
    '--no-heading',
    '--with-filename',
    '--line-number',
    '--column',
    '--color=never',
    '--no-context-separator',
    isRegex ? '--engine=default' : '--fixed-strings',
    caseSensitive ? '--case-sensitive' : '--ignore-case',
    ...(pattern.includes('\n') || (isRegex && /\\n|\(\?s/.test(pattern)) ? ['--multiline'] : []),
    ...(context > 0 ? [`--context=${context}`] : []),
    ...commonArguments(where.root, extensions),
    '-e',
    pattern,
    '--',
    `./${where.path}`,
  ];
}

/** Which files: as git ignores them, whether or not it is a git repository, and hidden ones, but nothing of git's own. */
export function commonArguments(root: string, extensions: readonly string[]): string[] {
  return [
    '--hidden',
    '--no-require-git',
    // Only rules that the walk knows as well, which are checked before: ripgrep would read a pipe or an endless device.
    '--no-ignore-dot',
    '--no-ignore-exclude',
    '--glob=!.git',
    '--no-follow',
    '--no-messages',
    `--max-filesize=${bounds.fileSize}`,
    '--regex-size-limit=10M',
    '--dfa-size-limit=20M',
    ...extensions.map((extension) => `--iglob=*.${extension}`),
    ...(isFile(join(root, '.loreignore')) ? ['--ignore-file=.loreignore'] : []),
  ];
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** `line : column : text`, or `line - text` for context. */
const lineStart = /(\d+)(?:-|:(\d+):)/y;

/** Takes what ripgrep writes, `path NUL line…`, line by line. */
function createReader(hits: LineHit[]): (line: string) => void {
  let pending = '';
  let [raw, path] = ['', ''];
  return (part) => {
    const line = pending + part;
    const end = line.indexOf('\0');
    // Only a name has a line end in it.
    pending = end < 0 ? `${line}\n` : '';
    lineStart.lastIndex = end + 1;
    const match = end < 0 ? null : lineStart.exec(line);
    if (!match) return;
    // Lines of one file follow each other.
    if (line.slice(0, end) !== raw) {
      raw = line.slice(0, end);
      path = readName(raw);
    }
    const [, number, column] = match;
    const at =
      column === undefined ? 0 : decodeBytes(line.slice(lineStart.lastIndex).slice(0, Number(column) - 1)).length;
    const text = cutLine(decodeBytes(line.slice(lineStart.lastIndex)), at);
    hits.push({ path, line: Number(number), text, context: column === undefined });
  };
}

/** A path in ripgrep's output, which begins with the searched path. */
export function readName(raw: string): string {
  const name = decodeBytes(raw).slice(2);
  return process.platform === 'win32' ? name.replaceAll('\\', '/') : name;
}

function refuseComplaint({ pattern, isRegex }: ExactQuery, complaint: string): void {
  if (!isRegex || !/regex|pattern|compile|look-around|backreference/i.test(complaint)) return;
  const reason = /^error: ([\w ,;'()-]{3,120})/m.exec(complaint)?.[1];
  throw patternError(pattern, reason);
}

export function patternError(pattern: string, reason = 'it cannot be read'): LoreError {
  return new LoreError(
    'invalid_input',
    `Cannot search for "${pattern}": it is not a valid regular expression, ${reason}`,
    {
      hint: 'mode "literal" searches for the exact text; look-around and back-references are not supported.',
      details: { path: 'arguments.query', expected: 'a regular expression', received: pattern },
    },
  );
}
