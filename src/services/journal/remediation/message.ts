// Normalises an error message: replaces paths, numbers, quoted names, addresses and times by marks. The remaining words are
// the program's own, weighted by significance. The replaced values are kept, since errors with the same values are more
// similar.

export interface ErrorMessage {
  /** The words, with marks for replaced values. */
  template: string;
  /** The words between colons with their weights: the last part is usually the reason. */
  segments: [word: string, weight: number][][];
  values: Set<string>;
}

const longest = 600;

/** In this order: a URL contains a path, a path contains numbers. The brackets of marks do not occur in messages. */
const replacements: readonly [RegExp, string][] = [
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s'"`<>)\]]{1,400}/gi, '‹url›'],
  [/[\w.+-]{1,64}@[\w-]{1,64}\.[a-z]{2,12}(?:\.[a-z]{2,12})?(?![\w/])/gi, '‹email›'],
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '‹id›'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)?(?:Z|[+-]\d\d:?\d\d)?/g, '‹time›'],
  [/(?<![\w@])(?:@[\w.-]{1,60}\/)?[\w.-]{1,80}@(?:[\^~]|npm:|workspace:)?[v\d*][\w.*+-]{0,40}/g, '‹package›'],
  [/(?<![\w])(?:[A-Za-z]:\\|\\\\)[^\s'"`:<>|]{1,300}/g, '‹path›'],
  [/(?<![\w/.@-])(?:\.{1,2}|~|@?[\w.-]{1,80})?(?:\/[\w.@+$%\u00a1-\uffff[\]-]{1,120}){1,40}\/?/g, '‹path›'],
  [
    /(?<![\w/-])[\w-]{1,80}\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|cs|cpp|cc|hpp|json|ya?ml|toml|lock|md|txt|sql|sh|html|css|vue|svelte|xml|gradle|env|pem|crt|conf|cfg|ini|log|so|dll|jar|whl)(?![\w])/g,
    '‹path›',
  ],
  [/(?<=‹path›)(?::\d{1,7}){1,2}|(?<=‹path›)\(\d{1,7}(?:,\d{1,7})?\)/g, ''],
  [/\b(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?\b|\[?::1?\]?:\d{1,5}\b/g, '‹host›'],
  [/\b(?:localhost|[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}):\d{2,5}\b/g, '‹host›'],
  [/(?<![\w-])--?[a-zA-Z][\w-]{1,60}(?:=[^\s,;)]{1,200})?/g, '‹flag›'],
  [/(?<![\w.])(?:message|msg|error|err|reason|detail|desc)=(?=\w)/g, ': '],
  [/(?<![\w.])[\w.-]{1,60}=[^\s,;)]{1,200}/g, '‹q›'],
  [/(?<![\w.])[\w-][\w.-]{0,80}(?::[\w.-]{1,60}){2,5}(?!\w)/g, '‹q›'],
  [/(?<![\w.])[\w-]{2,80}:(?:v?\d[\w.-]{0,40}|latest|nightly|alpine)(?![\w:])/g, '‹q›'],
  [/\b0x[0-9a-f]{1,16}\b/gi, '‹hex›'],
  [/(?<=\s)[^\s›]{1,100} -> [^\s‹]{1,100}/g, '‹q›'],
  [/(?<![\w.])(?=[\w.+-]{0,80}\d)[A-Za-z][\w+]{0,40}(?:[.+-][\w+]{1,40}){1,8}(?![\w-])/g, '‹q›'],
  [/\b(?=[a-z]{0,40}\d)[0-9a-f]{7,64}\b/gi, '‹hash›'],
  [/(?<![\w.])v?\d{1,6}\.\d{1,6}(?:\.\d{1,6}){0,3}(?:[-+][\w.]{1,30})?(?![\w])/g, '‹version›'],
  [/(?<!\w)[-+]?\d[\d_,]{0,30}(?:\.\d{1,12})?(?:[kmgt]i?b|[kmgt]i?|ms|[smhd]|%)?(?:\d{1,4}s)?(?!\w)/gi, '‹n›'],
];
const quoted =
  /"([^"\n]{0,300})"|`([^`\n]{0,300})`|‘([^’\n]{0,300})’|“([^”\n]{0,300})”|(?<!\w)'([^'\n]{0,300})'(?!\w)/g;
/** Types and null values in quotes are the program's own words. */
const programQuotes = /^(?:None|NoneType|null|undefined|nil|NaN|[A-Z]\w{1,30}::\w{1,30}\(\))$/;

export function readMessage(line: string): ErrorMessage {
  const values = new Set<string>();
  const note = (value: string) => {
    if (value.length > 1 && value.length <= 120) values.add(value.toLowerCase().replace(/^.*[/\\]/, ''));
  };
  let text = line
    .slice(0, longest)
    .replaceAll('\\"', '"')
    // Without a message, some runtimes print a null value.
    .replace(/^(?:null|None|undefined|nil)$/, '')
    .replace(quoted, (whole, ...groups) => {
      const content = groups.slice(0, 5).find((group) => group !== undefined) ?? '';
      if (programQuotes.test(content)) return ` ${content} `;
      // A quoted sentence is text, not a name.
      if (content.split(/\s+/, 5).length > 4) return ` ${content} `;
      note(content);
      return whole.startsWith("'") && content === '' ? "'" : '‹q›';
    });
  for (const [pattern, mark] of replacements) {
    text = text.replace(pattern, (found) => {
      if (mark !== '‹n›' && mark !== '') note(found);
      return mark;
    });
  }
  const parts = text
    .split(sentence)
    .flatMap((part) => part.split(colon))
    .flatMap((part) => part.split(bracket))
    .map((part) => ({ part, found: part.match(word) ?? [] }));
  const last = parts.findLastIndex(({ found }) => found.length > 0);
  const segments = parts.map(({ part, found }, at) => {
    const words = new Map<string, number>();
    // A single word between colons is a program or an object, and the last one a name: "undefined: parseConfig".
    const alone = last > 0 && found.length === 1 && !/[‹(]/.test(part) && !nothing.test(found[0] ?? '');
    for (const one of found) {
      if (isName(one)) note(one);
      const share = alone ? (at === last ? 0.2 : 0.6) : 1;
      words.set(one.toLowerCase(), weigh(one) * share);
    }
    return { part: alone && at === last ? part.replace(word, '‹q›') : part, words: [...words] };
  });
  const template = segments
    .map(({ part }) => part)
    .join(': ')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
  return { template, segments: segments.map(({ words }) => words).filter((words) => words.length > 0), values };
}

const word = /(?<![‹\p{L}\p{N}_])[\p{L}_$][\p{L}\p{N}_$']*(?:[.-][\p{L}_$][\p{L}\p{N}_$]*){0,8}(?![›\p{L}\p{N}_])/gu;
const sentence = /(?<=[\p{L}\p{N}›)'"][.!?])\s+(?=[\p{Lu}])/u;
const colon = / ?: |:$| --? |; /;
const bracket = /(?<=\s)(?=\()|(?<=\))(?=\s|$)/;
/** Words of nearly every message. */
const empty = new Set(
  `a an and are as at be been but by can cannot can't could couldn't did do does doesn't don't during error errors exception
  exited fail failed failing failure fatal for from had has have if in into is isn't it its may more most no not of on or
  out please process reason runtime see so such that the their then there this to try unable use used using was were when while will
  with within you your code status message line column file at java lang`.split(/\s+/),
);

function weigh(one: string): number {
  if (empty.has(one.toLowerCase())) return 0.2;
  return isName(one) ? 0.25 : 1;
}

const nothing = /^(?:None|NoneType|null|undefined|nil)$/;

/** A name from source code: camelCase, snake_case, dotted, of three parts. */
function isName(one: string): boolean {
  return /[a-z][A-Z]|_|\w\.\w|\$|\w-\w+-\w|\p{L}\d/u.test(one) && !nothing.test(one);
}
