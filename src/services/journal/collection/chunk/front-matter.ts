// Front matter of a Markdown file. Only plain `key: value` and `key = value` lines are read: the rest of YAML and TOML is
// not useful for a search.

interface FrontMatter {
  meta: { [key: string]: string };
  /** Number of lines; 0 if there is no front matter. */
  lines: number;
}

const ends: Record<string, readonly string[]> = { '---': ['---', '...'], '+++': ['+++'] };
const mostLines = 200;
const mostKeys = 40;
const longestValue = 500;

export function readFrontMatter(lines: readonly string[]): FrontMatter {
  const closing = ends[(lines[0] ?? '').trimEnd()];
  if (!closing) return { meta: {}, lines: 0 };
  const end = lines.findIndex((line, at) => at > 0 && at <= mostLines && closing.includes(line.trimEnd()));
  if (end < 0) return { meta: {}, lines: 0 };
  const entries = lines.slice(1, end).flatMap((line): [string, string][] => {
    const [, key, value] = /^([A-Za-z][\w-]{0,63})[ \t]*[:=](.*)$/.exec(line) ?? [];
    const text = unquote((value ?? '').trim()).slice(0, longestValue);
    return key !== undefined && text !== '' ? [[key.toLowerCase(), text]] : [];
  });
  return { meta: Object.fromEntries(entries.slice(0, mostKeys)), lines: end + 1 };
}

function unquote(text: string): string {
  const first = text[0];
  return text.length >= 2 && (first === '"' || first === "'") && text.at(-1) === first ? text.slice(1, -1) : text;
}
