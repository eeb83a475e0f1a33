// Texts of entries, always as text nodes: code spans and fenced blocks get their font, links of the web stay text. Nothing in a
// memory can become markup.
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
          part.trim() !== '' && <p key={at}>{inline(part.trim())}</p>
        ),
      )}
    </div>
  );
}

function inline(text: string): ComponentChildren[] {
  return text.split(/(`[^`\n]+`)/).map((part, at) => (at % 2 === 1 ? <code key={at}>{part.slice(1, -1)}</code> : part));
}

/** Marks the words of a query. */
export function Marked({ text, query }: { text: string; query: string }) {
  const words = query.split(/[^\p{L}\p{N}_]+/u).filter((word) => word.length > 2);
  if (words.length === 0) return <>{text}</>;
  const pattern = new RegExp(`\\b(${words.map((word) => word.replace(/[^\p{L}\p{N}]/gu, '\\$&')).join('|')})`, 'giu');
  return <>{text.split(pattern).map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))}</>;
}

export function oneLine(text: string, longest = 300): string {
  const line = text
    .slice(0, longest * 2)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= longest ? line : `${line.slice(0, longest)}…`;
}
