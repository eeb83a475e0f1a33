// Parses TOML just enough to know the position and keys of its statements: strings, arrays and inline tables are skipped. That
// is sufficient to add and remove a table without changing anything else.

export interface TomlStatement {
  kind: 'table' | 'list' | 'pair';
  /** The full key; a pair's key begins with that of its table. */
  path: string[];
  start: number;
  /** After the value or bracket, without line end and comment. */
  end: number;
  /** Start of a pair's value. */
  value: number;
}

export function parseToml(text: string): TomlStatement[] {
  const statements: TomlStatement[] = [];
  let table: string[] = [];
  let at = 0;
  for (;;) {
    at = skip(blanks, at);
    if (at === text.length) return statements;
    const start = at;
    if (text[at] === '[') {
      const brackets = text.startsWith('[[', at) ? 2 : 1;
      at += brackets;
      table = readKey();
      expect(']'.repeat(brackets));
      statements.push({ kind: brackets === 2 ? 'list' : 'table', path: table, start, end: at, value: at });
    } else {
      const path = [...table, ...readKey()];
      expect('=');
      const value = skip(spaces, at);
      at = value;
      skipValue();
      statements.push({ kind: 'pair', path, start, end: at, value });
    }
    const lineEnd = skip(restOfLine, at);
    if (lineEnd < text.length && text[lineEnd] !== '\n') throw broken(lineEnd);
    at = lineEnd;
  }

  function readKey(): string[] {
    const path: string[] = [];
    do {
      if (path.length > 0) at++;
      at = skip(spaces, at);
      const part = take(keyPart, at);
      if (part === '') throw broken(at);
      path.push(readPart(part));
      at = skip(spaces, at + part.length);
    } while (text[at] === '.');
    return path;
  }

  function readPart(part: string): string {
    if (part.startsWith("'")) return part.slice(1, -1);
    if (!part.startsWith('"')) return part;
    try {
      return String(JSON.parse(part));
    } catch {
      return part.slice(1, -1);
    }
  }

  function skipValue(): void {
    let depth = 0;
    do {
      if (depth > 0) at = skip(blanks, at);
      const token = take(valueToken, at);
      if (token === '') throw broken(at);
      at += token.length;
      if (token === '[' || token === '{') depth++;
      if (token === ']' || token === '}') depth--;
    } while (depth > 0);
  }

  function expect(token: string): void {
    at = skip(spaces, at);
    if (!text.startsWith(token, at)) throw broken(at);
    at += token.length;
  }

  function skip(pattern: RegExp, from: number): number {
    return from + take(pattern, from).length;
  }

  function take(pattern: RegExp, from: number): string {
    pattern.lastIndex = from;
    return pattern.exec(text)?.[0] ?? '';
  }

  function broken(place: number): SyntaxError {
    return new SyntaxError(`it is not TOML (line ${text.slice(0, place).split('\n').length})`);
  }
}

const blanks = /(?:[ \t\r\n\uFEFF]+|#[^\n]*)*/y;
const spaces = /[ \t]*/y;
const restOfLine = /[ \t]*(?:#[^\r\n]*)?\r?/y;
const keyPart = /[\w-]+|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\n]*'/y;
/** Reads a whole string, one bracket or separator, or a run of anything else. */
const valueToken =
  /"""(?:[^"\\]|\\[\s\S]|"(?!""))*"{3,5}|'''(?:[^']|'(?!''))*'{3,5}|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\n]*'|[[\]{},=]|[^\s"'[\]{},=#]+(?: [0-9:.Z+-]+)?/y;
