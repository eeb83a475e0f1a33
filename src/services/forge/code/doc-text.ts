// Comments of functions: what they do, and what each parameter is. Google, NumPy and reST styles of Python, and JSDoc.

export interface FunctionDoc {
  readonly summary: string;
  readonly description: string;
  readonly parameters: { readonly [name: string]: ParameterDoc };
}

export interface ParameterDoc {
  /** As it is written. */
  readonly type?: string;
  readonly description: string;
  readonly isOptional?: boolean;
  readonly default?: string;
}

const sections =
  /^(?:args|arguments|parameters|params|returns?|raises|yields|examples?|notes?|other parameters|keyword args|see also|todo|warnings?|attributes):?\s*$/i;

/** `text`: without quotes. */
export function readDocstring(text: string): FunctionDoc {
  const lines = dedent(text.split('\n'));
  const parameters: Record<string, ParameterDoc> = {};
  for (const field of text.split(/^[ \t]*(?=:\w)/m)) {
    const [, type, name, description = ''] = /^:param\s+(?:(\S+)\s+)?(\w+):([\s\S]*)$/.exec(field) ?? [];
    const [own = ''] = description.split(/\n\s*\n/);
    if (name !== undefined) parameters[name] = { description: oneLine(own), ...(type !== undefined && { type }) };
  }
  const start = lines.findIndex((line) => /^(?:args|arguments|parameters|params):?\s*$/i.test(line));
  if (start >= 0) Object.assign(parameters, readBlock(lines.slice(start + 1)));
  const end = lines.findIndex((line) => sections.test(line) || /^:\w+/.test(line.trim()));
  return { ...splitProse(lines.slice(0, end < 0 ? lines.length : end)), parameters };
}

/** The lines below `Args:`, or below `Parameters` and its rule. */
function readBlock(lines: readonly string[]): Record<string, ParameterDoc> {
  const found: Record<string, ParameterDoc> = {};
  const isNumpy = /^-{3,}\s*$/.test(lines[0] ?? '');
  const rows = isNumpy ? lines.slice(1) : lines;
  const indent = /^\s*/.exec(rows.find((line) => line.trim() !== '') ?? '')?.[0].length ?? 0;
  let name: string | undefined;
  for (const [at, line] of rows.entries()) {
    const isEnd = line.trim() !== '' && (sections.test(line) || /^-{3,}\s*$/.test(rows[at + 1] ?? ''));
    if (isEnd || (!isNumpy && line !== '' && !/^\s/.test(line))) break;
    const depth = /^\s*/.exec(line)?.[0].length ?? 0;
    const entry = isNumpy
      ? /^(\w+)\s*(?::\s*(.*?))?()\s*$/.exec(line)
      : /^\s+\*{0,2}(\w+)\s*(?:\(([^)]*)\))?\s*:\s*(.*)$/.exec(line);
    if (entry && depth === indent) {
      const [, own = '', type, description = ''] = entry;
      name = own;
      const plain = type?.replace(/,?\s*optional\b/, '').trim();
      found[own] = { description: description.trim(), ...(plain && { type: plain }) };
    } else if (name !== undefined && line.trim() !== '') {
      const before = found[name] as ParameterDoc;
      found[name] = { ...before, description: `${before.description} ${line.trim()}`.trim() };
    }
  }
  return found;
}

/** `text`: the comment with its stars. */
export function readJsdoc(text: string): FunctionDoc {
  const lines = text
    .replace(/^\/\*\*?|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*\s?/, ''));
  const parameters: Record<string, ParameterDoc> = {};
  const tags = lines.join('\n').split(/^(?=[ \t]*@\w)/m);
  for (const tag of tags) {
    const entry =
      /^\s*@param\s+(?:\{((?:[^{}]|\{[^{}]*\})*)\}\s*)?(\[?)([\w.$]+)(?:=([^\]]*))?\]?\s*-?\s*([\s\S]*)$/.exec(tag);
    if (!entry) continue;
    const [, type, bracket, name = '', given, description = ''] = entry;
    parameters[name] = {
      description: oneLine(description),
      ...(type !== undefined && { type }),
      ...((bracket === '[' || type?.endsWith('=')) && { isOptional: true }),
      ...(given !== undefined && { default: given }),
    };
  }
  return { ...splitProse((tags[0] ?? '').trimStart().startsWith('@') ? [] : (tags[0] ?? '').split('\n')), parameters };
}

function splitProse(lines: readonly string[]): Pick<FunctionDoc, 'summary' | 'description'> {
  const description = lines.join('\n').trim();
  const [first = ''] = description.split(/\n\s*\n|(?<=\.)\s/);
  return { summary: oneLine(first).slice(0, 200), description: oneLine(description).slice(0, 600) };
}

function dedent(lines: readonly string[]): string[] {
  const rest = lines.slice(1).filter((line) => line.trim() !== '');
  const least = rest.reduce((depth, line) => Math.min(depth, line.length - line.trimStart().length), 99);
  return lines.map((line, at) => (at === 0 ? line.trim() : line.slice(least)));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
