// Splits an error text into comparable lines: without colours and the prefixes of loggers, containers and builds, and with
// JSON and escapes decoded. Takes linear time.

export interface Line {
  text: string;
  /** Severity given by a logger or program. */
  level: 'error' | 'warning' | 'info' | undefined;
  /** Marked as the cause of the lines above. */
  cause: boolean;
  /** Begins with a position in a file. */
  placed: boolean;
}

/** Characters read at each end of a long text: failures are reported first or last. */
const halfRead = 100_000;
/** More lines in this much text carry no information. */
const mostLines = 10_000;
const longestLine = 2_000;

export function readLines(text: string): string[] {
  const lines = readEnds(text)
    .replace(colours, '')
    .split(/\r\n|[\n\r\u2028]/);
  return takeEnds(lines, mostLines).flatMap(unwrap);
}

/** The first and the last of many. */
export function takeEnds<T>(items: readonly T[], most: number): readonly T[] {
  return items.length <= most ? items : [...items.slice(0, most / 2), ...items.slice(-most / 2)];
}

export function readEnds(text: string): string {
  return text.length <= 2 * halfRead ? text : `${text.slice(0, halfRead)}\n${text.slice(-halfRead)}`;
}

const colours = new RegExp(
  [
    '(?:\\u001b\\[|\\u009b)[0-?]{0,32}[ -/]{0,4}[@-~]',
    '\\u001b\\][^\\u0007\\u001b]{0,200}(?:\\u0007|\\u001b\\\\)?',
  ].join('|'),
  'g',
);

/** One line of a log may contain a whole trace. */
function unwrap(line: string): string[] {
  const begin = line.indexOf('{');
  if (begin >= 0 && begin < 200 && line.trimEnd().endsWith('}')) {
    const messages = readJson(line.slice(begin));
    const before = line.slice(0, begin).trim();
    if (messages.length > 0) {
      return [...(before === '' ? [] : [before]), ...messages.flatMap((text) => text.split('\n'))].map(cut);
    }
  }
  return layOut(line).map(cut);
}

function layOut(line: string): string[] {
  if (line.includes('::error')) return line.split('%0A');
  return line.includes('\\n')
    ? line
        .replace(/\\"/g, '"')
        .replace(/\\t/g, '\t')
        .split(/\\n(?=[\sA-Z\\-]|$)/)
    : [line];
}

function cut(line: string): string {
  return line.length <= longestLine ? line : `${line.slice(0, longestLine * 0.75)} ${line.slice(-longestLine / 4)}`;
}

const messageKeys = 'stack stack_trace stacktrace exception error err message msg log detail summary errors'.split(' ');
const deepest = 4;

function readJson(text: string): string[] {
  try {
    return collectTexts(JSON.parse(text), 0);
  } catch {
    return [];
  }
}

/** A trace begins with the message, so the separate message is redundant. */
function collectTexts(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > deepest) return [];
  if (Array.isArray(value)) return value.slice(0, 5).flatMap((one) => collectTexts(one, depth + 1));
  const object = value as Record<string, unknown>;
  const code = [object.code, object.reason].filter((one) => typeof one === 'string');
  const texts = messageKeys.flatMap((key) => collectTexts(object[key], depth + 1));
  const messages = texts.filter((one, at) => !texts.some((other, place) => place < at && other.includes(one)));
  if (messages.length === 0) return [];
  return [
    ...(isFailed(object) ? messages.map((one) => (isStack(one) ? one : `error: ${one}`)) : messages),
    ...code.map((one) => `code: ${one}`),
  ];
}

function isFailed({ level, severity, levelname }: Record<string, unknown>): boolean {
  return [level, severity, levelname].some((one) =>
    typeof one === 'number' ? one >= 50 : typeof one === 'string' && /^(?:err|fatal|panic|crit|alert|emerg)/i.test(one),
  );
}

function isStack(text: string): boolean {
  return /\n\s*(?:at |File ")|^goroutine |^\w*(?:Error|Exception)\b/.test(text);
}

/** Prefixes of messages, most frequent first, removed one after the other. */
const prefixes: readonly RegExp[] = [
  /^[\w./-]{1,80} (?=\d{4}-\d\d-\d\dT\d)/,
  /^\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|[A-Z]{3,4}|[+-]\d\d:?\d\d)(?![\w:]))?(?: \[\d{1,8}\])?\]?:?\s*/,
  /^(?:<\d{1,3}>)?[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d [\w.-]{1,64} [\w./@-]{1,64}(?:\[\d{1,7}\])?:\s*/,
  /^\[?(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d(?:\.\d{1,9})?(?: \d{4})?\]?\s+/,
  /^\[?\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?[AP]M)?\]?\s+/,
  /^\[ {0,8}\d{1,10}\.\d{3,9}\]\s+/,
  /^\d{1,6}\.\d{2,6} (?=\S)/,
  /^#\d{1,4} (?:\d{1,6}\.\d{1,4} )?/,
  /^[A-Za-z][\w.-]{0,40} {0,12}\| /,
  /^\[(?:\d{1,8}|(?!\w{1,20}ed\])[a-z][\w:,./@-]{0,40}(?: @ 0x[0-9a-f]{1,16})?|pid[ :=]\d{1,8}|main|[\w-]{1,40}-\d{1,6})\][: ]\s*/,
  /^(?:::error(?: [^:\n]{0,300})?::|##\[error\])/,
  // A program's name, but not a word about the failure.
  /^(?!(?:error|fatal|warning|warn|info|note|hint|help|debug|notice|panic|cause|caused|code|errno|reason|status|message|msg|detail|undefined|unknown|invalid|missing|unresolved|unexpected|expected|failed|failure|denied|refused|timeout|exec|remote error)\b)(?:\/(?:[\w.+-]{1,40}\/){1,8})?[a-z][a-z0-9_+-]{1,30}(?:\[\d{1,8}\])?: (?=[\w[('"`‘/.])/,
  /^(?:E {2,}|[^\p{L}\p{N}\s'"`‘“<({[$@/.~\\=^|+-]{1,4}\s+|│ ?|├ ?|[|] )/u,
  /^(?:Exception in thread "[^"]{0,80}" |(?:PHP )?Fatal error: {1,2}|Uncaught (?=\w)|\(Uncaught\) |Unhandled (?:[Rr]ejection|[Ee]xception)[:. ]\s*|UnhandledPromiseRejectionWarning: )/,
];
const causes = /^(?:Caused by: |\[?cause\]?: |Root cause: )/i;
const levels =
  /^(?:npm (ERR!|error|WARN|warn|notice|info)\s?|\[?(ERROR|Error|error|ERR|FATAL|Fatal|fatal|CRITICAL|crit|SEVERE|PANIC|emerg|alert|WARNING|Warning|warning|WARN|warn|NOTICE|INFO|Info|info|DEBUG|debug|TRACE|LOG|HINT|DETAIL|STATEMENT|CONTEXT)\](?::|\s)?\s*|(ERROR|FATAL|CRITICAL|SEVERE|PANIC|WARNING|WARN|NOTICE|INFO|DEBUG|TRACE|LOG|HINT|DETAIL|STATEMENT|CONTEXT|[EW](?=: )|error|fatal error|fatal|warning|hint|note|info)(?::(?:[\w.]{1,60}:)?|\s+-|\s{1,3}(?=[\w[({'"\d-]))\s*)/;
/** file.c:3:5: error: …, file.cs(3,5): error … */
const positioned =
  /^(?:[A-Za-z]:)?[^\s:()'"]{1,200}(?:(?::\d{1,7}){1,2}:?|\(\d{1,7}(?:,\d{1,7}){0,3}\):)\s+(?:- )?(?:(fatal error|error|warning|note)\b)?/i;
/** A mark for a failure. */
const crossed = /(?:^|[\s|])[×✖✘✗✕❌⨯] (?=\S)/;
const rounds = 8;

/** Removes the prefix of a line. */
export function readLine(given: string): Line {
  let text = given.trim();
  let level: Line['level'] = crossed.test(given.slice(0, 80)) ? 'error' : undefined;
  let cause = false;
  for (let round = 0; round < rounds; round++) {
    const before = text;
    for (const prefix of prefixes) text = text.replace(prefix, '');
    const [caused] = causes.exec(text) ?? [];
    if (caused) {
      cause = true;
      text = text.slice(caused.length);
    }
    const found = levels.exec(text);
    // "error TS2345" and "error[E0382]" belong to the compilers; the word alone says nothing.
    if (found && found[0].length < text.length) {
      level ??= weigh(found[1] ?? found[2] ?? found[3] ?? '');
      text = text.slice(found[0].length);
    }
    if (text === before) break;
    text = text.trimStart();
  }
  const place = positioned.exec(text);
  if (place?.[1] !== undefined) level = weigh(place[1]);
  return { text, level, cause, placed: place !== null };
}

function weigh(word: string): Line['level'] {
  if (/^(?:err|fatal|crit|sev|panic|emerg|alert|E$)/i.test(word)) return 'error';
  return /^w/i.test(word) ? 'warning' : 'info';
}
