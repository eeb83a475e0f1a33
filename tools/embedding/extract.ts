// Finds prose in a package's files, by the kind of file it is: documentation comments, Markdown, mail, WordNet's glosses,
// strings called description. What comes out are plain paragraphs; `splitSentences` makes texts of them.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceKind } from './sources.ts';

const largestFile = 6_000_000;
const skippedFile = /\.min\.|\.map$|(^|\/)(node_modules|LICENSE|NOTICE|locales?|i18n)/i;

export function* readParagraphs(folder: string, kind: SourceKind): Generator<string> {
  for (const path of listFiles(folder)) {
    if (skippedFile.test(path)) continue;
    const full = join(folder, path);
    if (statSync(full).size > (kind === 'docs' ? largestFile : 50_000_000)) continue;
    const read = readerOf(path, kind);
    if (read) yield* read(readFileSync(full, 'utf8'));
  }
}

function listFiles(folder: string): string[] {
  return (readdirSync(folder, { recursive: true }) as string[])
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();
}

function readerOf(path: string, kind: SourceKind): ((text: string) => Iterable<string>) | undefined {
  if (kind === 'mail') return /ham-\d\/.*\.txt$/.test(path) ? readMail : undefined;
  if (kind === 'wordnet') return /(^|\/)data\.(noun|verb|adj|adv)$/.test(path) ? readGlosses : undefined;
  if (kind === 'book') return /data\/.*\.txt$/.test(path) ? readBook : undefined;
  if (kind === 'diagnostics') return /lib\/typescript\.js$/.test(path) ? readDiagnostics : readerOf(path, 'docs');
  if (kind === 'described') return /\.(js|json|mjs)$/.test(path) ? readDescriptions : undefined;
  if (/\.(md|mdx|markdown)$/i.test(path)) return readMarkdown;
  return /\.(d\.[cm]?ts|[cm]?ts|[cm]?js|tsx|jsx|proto)$/.test(path) ? readComments : undefined;
}

function* readComments(text: string): Generator<string> {
  for (const [comment] of text.matchAll(/\/\*\*?[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm)) {
    const lines = comment
      .replace(/^\/\*+|\*+\/$/g, '')
      .split('\n')
      .map((line) => line.replace(/^\s*(\*+|\/\/+!?)\s?/, ''));
    const prose = lines.join('\n').replace(/@example[\s\S]*?(?=\n@|$)/g, '');
    for (const block of prose.split(/\n\s*\n|\n(?=\s*@)|\n(?=\s*[-*] )/)) {
      if (!/copyright|licen[sc]e|eslint-|@ts-|sourceMapping/i.test(block)) {
        yield block.replace(
          /^\s*@(param|returns?|throws|arg|prop\w*|default\w*)\s+(\{[^}]*\}\s*)?(\[?[\w.$]+\]?\s+-?)?/,
          '',
        );
      }
    }
  }
}

function* readMarkdown(text: string): Generator<string> {
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/^---\n[\s\S]*?\n---/, '');
  for (const block of prose.split(/\n\s*\n|\n(?=\s*([-*+]|\d+\.) )|\n(?=#)/)) {
    if (!block || /^\s*\||^\s*\[[^\]]+\]:|^\s{4}\S/.test(block)) continue;
    yield block.replace(/^\s*(#+|[-*+]|\d+\.|>)\s+/gm, '').replace(/\[( |x)\]/g, '');
  }
}

function* readMail(text: string): Generator<string> {
  const subject = /^Subject: (.*)$/m.exec(text)?.[1];
  if (subject) yield subject.replace(/^((re|fwd?):|\[[^\]]*\])\s*/gi, '');
  const body = text.slice(text.indexOf('\n\n') + 2).split(/\n-- ?\n|\n_{20}|-{5} ?Original/)[0] as string;
  const own = body.split('\n').filter((line) => !/^\s*[>|}:]|^(On .*|.*(wrote|writes|said):)$|^\S+: \S/.test(line));
  for (const block of own.join('\n').split(/\n\s*\n/)) if (!/[<>{}=]|^\s*[-=_*#]{3}/.test(block)) yield block;
}

/** A gloss is "definition; "an example"": the words it explains stand before it, as in a dictionary. */
function* readGlosses(text: string): Generator<string> {
  for (const line of text.split('\n')) {
    const gloss = line.split(' | ')[1]?.trim();
    if (!gloss || line.startsWith(' ')) continue;
    const fields = line.split(' ');
    const count = Number.parseInt(fields[3] as string, 16);
    const words = Array.from({ length: count }, (_, k) =>
      fields[4 + 2 * k]?.replace(/_/g, ' ').replace(/\(\w+\)$/, ''),
    );
    const [definition] = gloss.split(/; "/);
    yield `${words.slice(0, 3).join(', ')}: ${definition}`;
    for (const [, example] of gloss.matchAll(/"([^"]{12,})"/g)) yield example as string;
  }
}

function* readBook(text: string): Generator<string> {
  yield* text.split(/\n\s*\n/);
}

function* readDiagnostics(text: string): Generator<string> {
  for (const [, message] of text.matchAll(/diag\(\d+, \d+ \/\* \w+ \*\/, "[^"]*", "([^"]+)"/g)) yield message as string;
}

function* readDescriptions(text: string): Generator<string> {
  for (const [, quoted] of text.matchAll(/description:\s*"((?:[^"\\]|\\.){10,})"/g)) {
    yield (quoted as string).replace(/\\(.)/g, (_, mark) => (mark === 'n' ? ' ' : mark));
  }
}

/** Single sentences mostly, because they teach more tokens a second; every fourth cut is passed over for longer texts. */
export function* splitSentences(paragraph: string): Generator<string> {
  const plain = paragraph
    .replace(/<[^>]*>/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\{@\w+ ([^}]*)\}/g, '$1')
    .replace(/https?:\/\/\S+/g, '')
    .replace(/[`*]+|__+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  let held = '';
  for (const [index, sentence] of plain.split(/(?<=[.!?]["')]?)\s+(?=["'(]?[A-Z])/).entries()) {
    held = held ? `${held} ${sentence}` : sentence;
    if (index % 4 === 3 && held.length < 200) continue;
    if (isProse(held)) yield held;
    held = '';
  }
  if (isProse(held)) yield held;
}

function isProse(text: string): boolean {
  if (text.length < 12 || text.length > 600) return false;
  const letters = text.match(/[a-z ]/gi)?.length ?? 0;
  return letters / text.length > 0.8 && (text.match(/[a-z]{2,}/gi)?.length ?? 0) >= 3;
}
