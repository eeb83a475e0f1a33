// Texts of entries, always as text nodes: headings, lists, code spans and fenced blocks get their form, links of the web stay text.
// Nothing in a memory can become markup.
import type { ComponentChildren } from 'preact';

export function EntryText({ text }: { text: string }) {
  const parts = text.split(/^```[^\n]*\n([\s\S]*?)^```[^\S\n]*$/m);
  return (
    <div class="text">
      {parts.map((part, at) =>
        at % 2 === 1 ? (
          <pre key={at}>
            <code>{part.replace(/\n$/, '')}</code>
          </pre>
        ) : (
          splitBlocks(part).map((block, index) => <Block key={`${at} ${index}`} lines={block} />)
        ),
      )}
    </div>
  );
}

const heading = /^#{1,6} +/;
const item = /^ *(?:[-*]|\d+[.)]) +/;

function kindOf(line: string): 'heading' | 'item' | 'text' {
  return heading.test(line) ? 'heading' : item.test(line) ? 'item' : 'text';
}

/** Lines that belong together. An empty line, and a line of another kind, begin a block; each heading is one. */
function splitBlocks(text: string): string[][] {
  const blocks: string[][] = [];
  let before: string | undefined;
  for (const line of text.split('\n')) {
    const kind = line.trim() === '' ? undefined : kindOf(line);
    if (kind !== undefined && kind === before && kind !== 'heading') blocks.at(-1)?.push(line);
    else if (kind !== undefined) blocks.push([line]);
    before = kind;
  }
  return blocks;
}

function Block({ lines }: { lines: readonly string[] }) {
  const [first = ''] = lines;
  const kind = kindOf(first);
  if (kind === 'heading') return <p class="heading">{inline(first.replace(heading, ''))}</p>;
  if (kind === 'text') return <p>{inline(lines.join('\n').trim())}</p>;
  const List = /^ *\d/.test(first) ? 'ol' : 'ul';
  return (
    <List>
      {lines.map((line, at) => (
        <li key={at}>{inline(line.replace(item, ''))}</li>
      ))}
    </List>
  );
}

function inline(text: string): ComponentChildren[] {
  return text.split(/(`[^`\n]+`)/).map((part, at) => (at % 2 === 1 ? <code key={at}>{part.slice(1, -1)}</code> : part));
}

/** One line, with its code spans, and with the words of a query marked. */
export function Marked({ text, query }: { text: string; query: string }) {
  const words = query.split(/[^\p{L}\p{N}_]+/u).filter((word) => word.length > 2);
  const pattern = new RegExp(`\\b(${words.map((word) => word.replace(/[^\p{L}\p{N}]/gu, '\\$&')).join('|')})`, 'giu');
  const mark = (part: string) =>
    words.length === 0
      ? part
      : part.split(pattern).map((one, at) => (at % 2 === 1 ? <mark key={at}>{one}</mark> : one));
  return (
    <>
      {text
        .split(/(`[^`\n]+`)/)
        .map((part, at) => (at % 2 === 1 ? <code key={at}>{mark(part.slice(1, -1))}</code> : mark(part)))}
    </>
  );
}

export function oneLine(text: string, longest = 300): string {
  const line = text
    .slice(0, longest * 2)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= longest ? line : `${line.slice(0, longest)}…`;
}
