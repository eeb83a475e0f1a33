// Lines that an exact search found, however it was done.

export interface LineHit {
  /** From the repository's root, with slashes. */
  path: string;
  line: number;
  text: string;
  /** Not found itself, but beside what was. */
  context: boolean;
}

export interface ExactQuery {
  pattern: string;
  isRegex: boolean;
  caseSensitive: boolean;
  /** Lines to show before and after. */
  context: number;
  /** Extensions of files to look in; all where there are none. */
  extensions: readonly string[];
}

export interface ExactResult {
  hits: LineHit[];
  /** Why there may be more: so many were found, or so long was looked. */
  partial?: 'limit' | 'timeout';
}

export const bounds = {
  /** Lines; what is more is no answer but a listing. */
  hits: 20_000,
  /** Of what the search program says. */
  bytes: 64 << 20,
  /** A larger file is data. */
  fileSize: 4 << 20,
  /** Of a file that is named. */
  namedSize: 32 << 20,
  milliseconds: 20_000,
  /** Of a line that is shown. */
  line: 400,
};

/** A long line is shown around what was found in it. */
export function cutLine(text: string, at: number): string {
  const line = text.replace(/\r?\n?$/, '');
  if (line.length <= bounds.line) return line;
  const from = Math.max(0, Math.min(at - bounds.line / 4, line.length - bounds.line));
  const cut = line.slice(from, from + bounds.line);
  return `${from > 0 ? '…' : ''}${cut.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')}${from + bounds.line < line.length ? '…' : ''}`;
}
