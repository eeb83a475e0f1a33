// git's configuration file, parsed the way git does.
import { broken } from './files.ts';

interface ConfigEntry {
  section: string;
  subsection: string | undefined;
  key: string;
  value: string;
}

/** A line that git would refuse is an error. Messages must not contain any text of the file: it may be a secret. */
export function* parseGitConfig(text: string, path: string): Generator<ConfigEntry> {
  const header = /[ \t]*\[([\w.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;
  const variable =
    /[ \t]*([A-Za-z][\w-]*)[ \t]*(?:=[ \t]*((?:"(?:[^"\\\n]|\\[ntb"\\\n])*"|[^"\\\n;#]|\\[ntb"\\\n])*))?/y;
  const blank = /[ \t]*(?:[;#][^\n]*)?(?:\n|$)/y;
  const source = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  let section = '';
  let subsection: string | undefined;
  for (let at = 0; at < source.length; ) {
    const take = (pattern: RegExp): RegExpExecArray | null => {
      pattern.lastIndex = at;
      const match = pattern.exec(source);
      if (match) at = pattern.lastIndex;
      return match;
    };
    if (take(blank)) continue;
    const opened = take(header);
    if (opened) {
      const [plain = '', ...rest] = (opened[1] as string).toLowerCase().split('.');
      section = plain;
      subsection = opened[2]?.replace(/\\(.)/g, '$1') ?? (rest.length > 0 ? rest.join('.') : undefined);
      continue;
    }
    const assigned = take(variable);
    if (!assigned || !take(blank)) {
      throw broken(path, `line ${source.slice(0, at).split('\n').length} is not git configuration`);
    }
    yield { section, subsection, key: (assigned[1] as string).toLowerCase(), value: unquote(assigned[2] ?? '') };
  }
}

const escapes: Record<string, string> = { n: '\n', t: '\t', b: '\b', '\n': '' };

function unquote(raw: string): string {
  return raw
    .trimEnd()
    .replace(/\\(.)|"/gs, (_, escaped?: string) => (escaped === undefined ? '' : (escapes[escaped] ?? escaped)));
}
