// HTML as a stream of tags and text, in one pass from left to right, because a hostile page must not hang the server. It does
// not build a tree.

export interface Token {
  /** Lower-case; nothing for text. */
  tag?: string;
  closes?: boolean;
  /** Closed within itself. */
  empty?: boolean;
  /** Text as written, with its character references. */
  text?: string;
  at: number;
}

/** Their content is not text, and its tags are not tags. */
export const raw: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'iframe', 'noscript', 'title', 'xmp']);

export function* scanHtml(html: string): Generator<Token> {
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const lastEnd = html.lastIndexOf('>');
  /** Quotes were seen to be broken: from then on they mean nothing. */
  let quotesBroken = false;
  const endOfTag = (from: number): number => {
    if (!quotesBroken) {
      const end = findQuotedEnd(html, from);
      if (end >= 0) return end;
      quotesBroken = true;
    }
    return html.indexOf('>', from);
  };

  let at = 0;
  while (at < html.length) {
    const open = at > lastEnd ? -1 : findTag(html, at, lastEnd);
    if (open < 0) break;
    if (open > at) yield { text: html.slice(at, open), at };
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4);
      at = end < 0 ? html.length : end + 3;
      continue;
    }
    const [, slash, name] = nameAt(lower, open) ?? [];
    if (name === undefined) {
      // A declaration or a processing instruction.
      at = html.indexOf('>', open) + 1;
      continue;
    }
    const end = endOfTag(open + 1);
    const isVoid = html[end - 1] === '/';
    at = end + 1;
    yield { tag: name, closes: slash === '/', empty: isVoid, at: open };
    if (slash !== '' || isVoid || !raw.has(name)) continue;
    const close = lower.indexOf(`</${name}`, at);
    const stop = close < 0 ? html.length : close;
    if (stop > at) yield { text: html.slice(at, stop), at };
    at = stop;
  }
  if (at < html.length) yield { text: html.slice(at), at };
}

/** The next bracket that begins something. */
function findTag(html: string, from: number, last: number): number {
  for (let at = html.indexOf('<', from); at >= 0 && at < last; at = html.indexOf('<', at + 1)) {
    if (/[a-z/!?]/i.test(html[at + 1] as string)) return at;
  }
  return -1;
}

const namePattern = /<(\/?)([a-z][a-z0-9-]*)/y;

function nameAt(lower: string, at: number): RegExpExecArray | null {
  namePattern.lastIndex = at;
  return namePattern.exec(lower);
}

/** Where the tag ends, past brackets within quotes. */
function findQuotedEnd(html: string, from: number): number {
  const stop = /["'>]/g;
  stop.lastIndex = from;
  for (let found = stop.exec(html); found; found = stop.exec(html)) {
    if (found[0] === '>') return found.index;
    const close = html.indexOf(found[0], found.index + 1);
    if (close < 0) return -1;
    stop.lastIndex = close + 1;
  }
  return -1;
}
