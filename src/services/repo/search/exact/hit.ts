// Lines that an exact search found.

export interface LineHit {
  /** From the repository's root, with slashes. */
  path: string;
  line: number;
  text: string;
  /** A line beside a match. */
  context: boolean;
}

export interface ExactQuery {
  pattern: string;
  isRegex: boolean;
  caseSensitive: boolean;
  /** Lines to show before and after. */
  context: number;
  /** File extensions to search; all if empty. */
  extensions: readonly string[];
}

export interface ExactResult {
  hits: LineHit[];
  /** Why there may be more: the limit or the timeout was reached. */
  partial?: 'limit' | 'timeout';
}

export const bounds = {
  /** Most lines of a result. */
  hits: 20_000,
  /** Most output of the search program, in bytes. */
  bytes: 64 << 20,
  /** A larger file is data. */
  fileSize: 4 << 20,
  /** Of a file that is named. */
  namedSize: 32 << 20,
  milliseconds: 20_000,
  /** Of a line that is shown. */
  line: 400,
};

/** Truncates a long line around the match. */
export function cutLine(text: string, at: number): string {
  const line = text.replace(/\r?\n?$/, '');
  if (line.length <= bounds.line) return line;
  const from = Math.max(0, Math.min(at - bounds.line / 4, line.length - bounds.line));
  const cut = line.slice(from, from + bounds.line);
  return `${from > 0 ? '…' : ''}${cut.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')}${from + bounds.line < line.length ? '…' : ''}`;
}
