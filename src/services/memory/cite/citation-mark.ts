// Identifies a passage of a file without storing it: hashes of its lines, ignoring spaces, so that a moved or reindented
// passage is recognised.
import { hashText, readLines } from '../../../files/project-file.ts';

/** Most lines of a definition that are compared: later ones change for other reasons. */
const maxBlock = 40;
const sketchSize = 16;
/** A file that has lost more than this share of its sampled lines has been rewritten. */
const keptShare = 0.5;

/** Whether the symbol's name occurs in the text as a word. For `Registry.call`, both parts. */
export function hasSymbol(text: string, symbol: string): boolean {
  return symbol.split(/\.|::/).every((part) => part === '' || wordOf(part).test(text));
}

/** The hash of the symbol's definition; undefined if it is only used. */
export function hashDefinition(text: string, symbol: string): string | undefined {
  const name = symbol.split(/\.|::/).at(-1) as string;
  const source = text.split('\n');
  const at = findDefinition(source, name);
  if (at < 0) return undefined;
  return hashText(
    readLines(source.slice(at, endOfBlock(source, at)).join('\n'))
      .join('\n')
      .trim(),
  );
}

/** Where what begins on a line ends, by its indent: true of every language people lay out. */
function endOfBlock(source: readonly string[], at: number): number {
  const indent = indentOf(source[at] as string);
  const limit = Math.min(source.length, at + maxBlock);
  for (let end = at + 1; end < limit; end++) {
    const line = source[end] as string;
    if (line.trim() === '' || line.trim() === '{' || indentOf(line) > indent) continue;
    const isClosing = indentOf(line) === indent && /^\s*(?:[)}\]>]|end\b)/.test(line);
    if (!isClosing) return end;
    // `): Promise<void> {` closes the parameters and opens the body.
    if (!/[{([:]\s*$/.test(line)) return end + 1;
  }
  return limit;
}

/** The hash of the lines cited, with one around on either side; undefined when the file is shorter. */
export function markLines(lines: readonly string[], line: number, endLine = line): number | undefined {
  return line > lines.length ? undefined : markHashes(lines.map(hashLine), line, endLine);
}

/** Whether lines with such a mark occur anywhere. */
export function hasLines(lines: readonly string[], mark: number, line: number, endLine = line): boolean {
  const hashes = lines.map(hashLine);
  return hashes.some((_, at) => markHashes(hashes, at + 1, at + 1 + endLine - line) === mark);
}

function markHashes(hashes: readonly number[], line: number, endLine: number): number {
  let mark = firstHash;
  const last = Math.min(hashes.length, endLine + 1, line + maxBlock);
  for (let at = Math.max(0, line - 2); at < last; at++) mark = Math.imul(mark ^ (hashes[at] as number), hashFactor);
  return mark >>> 0;
}

/** The smallest hashes of the file's lines: a sample that stays the same while the lines do. */
export function sketchOf(lines: readonly string[]): number[] {
  return [...significantHashes(lines)].sort((a, b) => a - b).slice(0, sketchSize);
}

export function keepsSketch(lines: readonly string[], sketch: readonly number[]): boolean {
  if (sketch.length === 0) return true;
  const present = significantHashes(lines);
  return sketch.filter((hash) => present.has(hash)).length >= sketch.length * keptShare;
}

/** Brackets and blank lines are in every file. */
function significantHashes(lines: readonly string[]): Set<number> {
  return new Set(lines.filter((line) => /\w{3}/.test(line)).map(hashLine));
}

/** FNV-1a: thousands of lines a millisecond. */
const firstHash = 0x811c9dc5;
const hashFactor = 0x01000193;

function hashLine(line: string): number {
  let hash = firstHash;
  for (let at = 0; at < line.length; at++) hash = Math.imul(hash ^ line.charCodeAt(at), hashFactor);
  return hash >>> 0;
}

/** Declared by a word of the language, else a member with its body or value, else a function after its type. */
function findDefinition(source: readonly string[], name: string): number {
  const bare = `${escapeName(name)}(?![\\w$])`;
  const words =
    'function\\*?|class|interface|type|enum|struct|trait|impl|def|fn|func|fun|const|let|var|val|module|namespace|macro_rules!';
  const modifiers = 'public|private|protected|static|async|override|readonly|abstract|get|set';
  const patterns = [
    `^\\s*(?:[\\w@]+(?:\\([^)]*\\))?\\s+){0,5}(?:${words})\\s+(?:\\([^)]{0,60}\\)\\s*)?(?:self\\.)?${bare}`,
    `^\\s+(?:(?:${modifiers})\\s+){0,4}\\*?${bare}\\s*(?:<[^>]{0,80}>)?(?:\\([^;]*[{,(:]\\s*$|\\([^;]*\\)\\s*[:{]|\\s*[:=]\\s)`,
    `^\\s*(?!return|await|new|throw|else|yield|case)(?:[\\w<>[\\],.*&:]+\\s+){1,5}[*&]?${bare}\\s*\\([^;=]*$`,
  ];
  const candidates = source.flatMap((line, at) => (line.length < 500 && line.includes(name) ? [at] : []));
  for (const pattern of patterns.map((text) => new RegExp(text))) {
    const found = candidates.find((at) => pattern.test(source[at] as string));
    if (found !== undefined) return found;
  }
  return -1;
}

function indentOf(line: string): number {
  return line.search(/\S|$/);
}

function wordOf(name: string): RegExp {
  return new RegExp(`(?<![\\w$])${escapeName(name)}(?![\\w$])`);
}

function escapeName(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\#]/g, '\\$&');
}
