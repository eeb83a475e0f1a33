// Parses JSON with comments and trailing commas into a tree with positions, so that an edit leaves all other bytes unchanged.

interface Spot {
  /** Offsets into the text; `end` is exclusive. */
  start: number;
  end: number;
}

export interface Entry {
  /** Of the key in an object, of the value in an array. */
  start: number;
  key: string;
  value: JsonNode;
  /** Position of the comma after it, if there is one. */
  comma: number | undefined;
}

type JsonNode = Spot &
  ({ kind: 'object'; entries: Entry[] } | { kind: 'array'; entries: Entry[] } | { kind: 'plain'; value: unknown });

export type Container = Extract<JsonNode, { entries: Entry[] }>;

/** The root; undefined if there are only spaces and comments. */
export function parseJsonc(text: string): JsonNode | undefined {
  let at = skipTrivia(text, 0);
  if (at === text.length) return undefined;
  const root = readValue(0);
  at = skipTrivia(text, at);
  if (at < text.length) throw broken(text, at);
  return root;

  function readValue(depth: number): JsonNode {
    if (depth > 200) throw broken(text, at);
    const first = text[at];
    if (first === '{') return readContainer('object', '}', depth);
    if (first === '[') return readContainer('array', ']', depth);
    return readPlain();
  }

  function readContainer(kind: 'object' | 'array', close: string, depth: number): JsonNode {
    const start = at++;
    const entries: Entry[] = [];
    for (;;) {
      at = skipTrivia(text, at);
      if (text[at] === close) return { kind, start, end: ++at, entries };
      const previous = entries.at(-1);
      if (previous && previous.comma === undefined) throw broken(text, at);
      const entryStart = at;
      const key = kind === 'object' ? readKey() : String(entries.length);
      const value = readValue(depth + 1);
      const next = skipTrivia(text, at);
      const comma = text[next] === ',' ? next : undefined;
      if (comma !== undefined) at = comma + 1;
      entries.push({ start: entryStart, key, value, comma });
    }
  }

  function readKey(): string {
    if (text[at] !== '"') throw broken(text, at);
    const key = readPlain() as { value?: unknown };
    at = skipTrivia(text, at);
    if (text[at] !== ':') throw broken(text, at);
    at = skipTrivia(text, at + 1);
    return String(key.value);
  }

  function readPlain(): JsonNode {
    const start = at;
    plain.lastIndex = start;
    const found = plain.exec(text)?.[0] ?? '';
    try {
      const value: unknown = JSON.parse(found);
      at += found.length;
      return { kind: 'plain', start, end: at, value };
    } catch {
      throw broken(text, start);
    }
  }
}

/** A string, number or keyword; JSON.parse validates it. */
const plain = /"[^"\\\n\r]*(?:\\.[^"\\\n\r]*)*"|[-+.\w]*/y;

/** Array entries are named by index. */
export function findEntry(node: JsonNode | undefined, key: string): Entry | undefined {
  // Of duplicate keys, the last one counts in every JSON parser.
  return !node || node.kind === 'plain' ? undefined : node.entries.findLast((entry) => entry.key === key);
}

export function findNode(root: JsonNode | undefined, path: readonly string[]): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>((node, key) => findEntry(node, key)?.value, root);
}

export function toValue(node: JsonNode): unknown {
  if (node.kind === 'plain') return node.value;
  if (node.kind === 'array') return node.entries.map((entry) => toValue(entry.value));
  return Object.fromEntries(node.entries.map((entry) => [entry.key, toValue(entry.value)]));
}

/** Skips spaces and comments. */
function skipTrivia(text: string, from: number): number {
  trivia.lastIndex = from;
  trivia.test(text);
  return trivia.lastIndex;
}

const trivia = /(?:[ \t\r\n\uFEFF]+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;

/** Skips spaces and comments up to the end of the line. */
export function skipLineTrivia(text: string, from: number): number {
  lineTrivia.lastIndex = from;
  lineTrivia.test(text);
  return lineTrivia.lastIndex;
}

const lineTrivia = /(?:[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/))*/y;

/** The caller adds the name of the file. */
function broken(text: string, at: number): SyntaxError {
  return new SyntaxError(`it is not JSON (line ${text.slice(0, at).split('\n').length})`);
}
