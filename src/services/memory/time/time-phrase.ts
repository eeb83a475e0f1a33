// Parses times in words: "last week", "3 days ago", "between March and May". A query prefers memories of a clearly past time;
// "can I ship on Friday?" looks ahead, so a bare weekday, "today" and "this week" count only as arguments.
import { dayOf, goBack, latestOf, type Span, spanOf, type Unit } from './calendar.ts';
import { readForeignTime } from './time-languages.ts';

export interface TimePhrase {
  from?: number;
  /** Exclusive. */
  to?: number;
  /** As written, with its preposition. */
  phrase: string;
}

interface Form {
  pattern: string;
  /** Whether it names a past time by itself, only after a preposition ("in March"), or only in an argument. */
  looksBack: 'always' | 'after preposition' | 'as argument';
  vague?: boolean;
  /** `loose`: with the tolerance that "two months ago" has in a question. */
  read(groups: readonly string[], now: number, loose: boolean): Span | undefined;
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const seasons: Record<string, number> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };
const numbers = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const vagueCounts: Record<string, number> = { a: 1, an: 1, couple: 2, few: 3, several: 5 };
const dayMs = 86_400_000;
const recentDays = 30;
/** A query names its time early; a longer text is a document. */
const longestQuery = 2_000;

const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const weekday = '(sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|satur)(?:day)';
const season = '(spring|summer|autumn|fall|winter)';
const count = `(\\d{1,4}|${numbers.slice(1).join('|')}|an?|(?:a )?(?:few|couple(?: of)?)|several)`;
const unit = '(minute|hour|day|week|month|quarter|year)s?';
const period = '(week|month|quarter|year|weekend)';
const year = '((?:19|20)\\d\\d)';
const ordinal = '(\\d{1,2})(?:st|nd|rd|th)?';

const forms: readonly Form[] = [
  {
    // Followed by a time of day it is a log line.
    pattern: `${year}[-/](\\d{1,2})[-/](\\d{1,2})(?![\\dT:-]| \\d{1,2}:)`,
    looksBack: 'always',
    read: ([y, m, d]) => dayOf(Number(y), Number(m) - 1, Number(d)),
  },
  { pattern: `${year}-(\\d\\d)`, looksBack: 'after preposition', read: ([y, m]) => monthOf(Number(y), Number(m) - 1) },
  {
    pattern: `${ordinal} (?:of )?${month}\\.?(?:,? ${year})?`,
    looksBack: 'after preposition',
    read: ([d, m = '', y], now) => dateOf(now, monthNumber(m), Number(d), y),
  },
  {
    pattern: `${month}\\.? ${ordinal}(?:,? ${year})?(?![\\d:.%])`,
    looksBack: 'after preposition',
    read: ([m = '', d, y], now) => dateOf(now, monthNumber(m), Number(d), y),
  },
  {
    pattern: `(?:(early|mid|late)[ -])?${month},? (?:of )?${year}`,
    looksBack: 'always',
    read: ([part, m = '', y]) => partOf(monthOf(Number(y), monthNumber(m)), part),
  },
  {
    pattern: `last ${month}|last ${weekday}|last ${season}`,
    looksBack: 'always',
    read: ([m, d, s], now) => latestEnded((at) => namedOf(at, m, d, s), now),
  },
  {
    pattern: `(?:(early|mid|late)[ -])?(?:this )?${month}(?: (?:of )?(last|this) year)?`,
    looksBack: 'after preposition',
    read: ([part, m = '', y], now) =>
      partOf(y ? monthOf(new Date(now).getFullYear() - (y === 'last' ? 1 : 0), monthNumber(m)) : namedOf(now, m), part),
  },
  {
    pattern: `(?:this )?${weekday}`,
    looksBack: 'as argument',
    read: ([d], now) => namedOf(now, undefined, d),
  },
  {
    pattern: `${season}(?: (?:of )?${year})?`,
    looksBack: 'after preposition',
    read: ([s = '', y], now) => (y ? seasonOf(Number(y), s) : namedOf(now, undefined, undefined, s)),
  },
  {
    pattern: `q([1-4])(?: (?:of )?${year})?`,
    looksBack: 'after preposition',
    read: ([q, y], now) => (y ? quarterOf(Number(y), q) : latestOf((own) => quarterOf(own, q), now)),
  },
  { pattern: year, looksBack: 'after preposition', read: ([y]) => spanOf('year', new Date(Number(y), 0).getTime()) },
  { pattern: 'day before yesterday', looksBack: 'always', read: (_, now) => spanOf('day', now, -2) },
  { pattern: 'yesterday', looksBack: 'always', read: (_, now) => spanOf('day', now, -1) },
  { pattern: 'last night', looksBack: 'always', read: (_, now) => spanOf('day', now, -1) },
  { pattern: 'earlier today', looksBack: 'always', read: (_, now) => spanOf('day', now) },
  { pattern: 'today|now', looksBack: 'as argument', read: (_, now) => spanOf('day', now) },
  {
    pattern: `${count} ${unit} (?:ago|back)`,
    looksBack: 'always',
    read: ([n = '', u = ''], now, loose) => ago(n, u, now, loose),
  },
  {
    pattern: '(\\d{1,4}) ?(h|d|w|mo?|y)(?: ago)?',
    looksBack: 'as argument',
    read: ([n = '', u = ''], now) => ago(n, { h: 'hour', d: 'day', w: 'week', y: 'year' }[u] ?? 'month', now, false),
  },
  {
    pattern: `(?:last|past|previous) ${count} ${unit}`,
    looksBack: 'always',
    read: ([n = '', u = ''], now) => since(u as Unit, now, readCount(n)),
  },
  {
    pattern: '(?:(?:in|over|during|within) the (?:last|past)|(?:the|this) past) (hour|day|week|month|quarter|year)',
    looksBack: 'always',
    read: ([u = ''], now) => since(u as Unit, now, 1),
  },
  {
    pattern: `(?:last|past|previous) ${period}`,
    looksBack: 'always',
    read: ([u = ''], now) => periodOf(u, now, -1),
  },
  { pattern: `${period} before last`, looksBack: 'always', read: ([u = ''], now) => periodOf(u, now, -2) },
  { pattern: `earlier this ${period}`, looksBack: 'always', read: ([u = ''], now) => periodOf(u, now, 0) },
  { pattern: `this ${period}`, looksBack: 'as argument', read: ([u = ''], now) => periodOf(u, now, 0) },
  {
    // "Least recently used" is a kind of cache.
    pattern: '(?<!least |most )(?:recently|lately)(?! used)',
    looksBack: 'always',
    vague: true,
    read: (_, now) => since('day', now, recentDays),
  },
];

const sides = 'since|after|before|prior to|until|till|up to|by|as of';
const prepositions = 'in|on|during|throughout|over|within|around|from|of|between';
/** Before the second of two times: "from March to May". */
const joints = 'and|to|through';
const lead = `(?:(${sides}|${prepositions}|${joints})\\s+)?(?:the )?`;
/** ASCII only, because Unicode classes take milliseconds to compile, for each of these. */
const patterns = forms.map((form) => ({
  form,
  inText: new RegExp(`(?<![\\w./-])${lead}(?:${form.pattern})(?!\\w|[-/.]\\d)`, 'gi'),
  whole: new RegExp(`^${lead}(?:${form.pattern})$`, 'i'),
}));
/** Every form has a digit or one of these, and most questions have none. */
const hint = new RegExp(`\\d|day|night|now|recently|lately|${season}|${unit}|${period}|${month}`, 'i');
/** Of another script, or with an accent. */
const isLetter = /[\p{L}\p{N}]/u;

const isSide = new RegExp(`^(?:${sides}|${joints})$`);
const isJoint = new RegExp(`^(?:${joints})$`);

/** A whole argument as a span: an ISO date or time, or a time in words. */
export function readSpan(text: string, now: number): Span | undefined {
  const written = text.trim().replace(/\s+/g, ' ');
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(written)) {
    const at = Date.parse(written);
    return Number.isNaN(at) ? undefined : { from: at, to: at };
  }
  for (const { form, whole } of patterns) {
    const span = read(form, whole.exec(written), now, false);
    if (span) return span;
  }
  return undefined;
}

interface Mention {
  start: number;
  end: number;
  side: string;
  span: Span;
  form: Form;
}

/** The time that a question refers to. */
export function readTimePhrase(text: string, now: number): TimePhrase | undefined {
  const query = text.slice(0, longestQuery);
  return readEnglish(query, now) ?? readForeign(query, now);
}

function readForeign(query: string, now: number): TimePhrase | undefined {
  const found = readForeignTime(query);
  const read = found && readEnglish(found.english, now);
  return read && { ...read, phrase: found.phrase };
}

function readEnglish(query: string, now: number): TimePhrase | undefined {
  if (!hint.test(query)) return undefined;
  const mentions = patterns
    .flatMap(({ form, inText }) => [...query.matchAll(inText)].flatMap((match) => mention(form, match, now) ?? []))
    .sort(
      (a, b) => Number(a.form.vague ?? false) - Number(b.form.vague ?? false) || a.start - b.start || b.end - a.end,
    );
  for (const one of mentions) {
    // The March of "in March 2031" is not another March.
    if (isJoint.test(one.side) || mentions.some((other) => isWithin(one, other))) continue;
    const phrase = bound(one, query, mentions);
    if (phrase && (phrase.from ?? 0) <= now && (phrase.from ?? 0) < (phrase.to ?? Number.POSITIVE_INFINITY))
      return phrase;
  }
  return undefined;
}

function isWithin(inner: Mention, outer: Mention): boolean {
  return inner.start >= outer.start && inner.end <= outer.end && inner.end - inner.start < outer.end - outer.start;
}

function mention(form: Form, match: RegExpMatchArray, now: number): Mention | undefined {
  const { 0: phrase, index: start = 0, input = '' } = match;
  const end = start + phrase.length;
  if (isLetter.test(input.slice(Math.max(0, start - 1), start)) || isLetter.test(input.slice(end, end + 1)))
    return undefined;
  const side = (match[1] ?? '').toLowerCase();
  if (form.looksBack === 'as argument' && !isSide.test(side)) return undefined;
  if (form.looksBack === 'after preposition' && side === '' && !/[a-z].* \d{4}$/i.test(phrase)) return undefined;
  const span = read(form, match, now, true);
  return span && { start, end, side, span, form };
}

function bound({ start, end, side, span: { from, to } }: Mention, query: string, all: readonly Mention[]) {
  const phrase = query.slice(start, end);
  const last = /^(?:between|from)$/.test(side) ? all.find((other) => other.start === end + 1) : undefined;
  if (last && /^(?:and|to|until|through)$/.test(last.side)) {
    // "Between November and March": the November before that March.
    const start = from > last.span.from ? goBack('year', from, 1) : from;
    return { from: start, to: last.span.to, phrase: `${phrase} ${query.slice(last.start, last.end)}` };
  }
  if (side === 'since') return { from, phrase };
  if (side === 'after') return { from: to, phrase };
  if (side === 'before' || side === 'prior to') return { to: from, phrase };
  return /^(?:until|till|up to|by|as of)$/.test(side) ? { to, phrase } : { from, to, phrase };
}

function read(form: Form, match: RegExpMatchArray | null, now: number, loose: boolean): Span | undefined {
  // The first group is the preposition.
  return match ? form.read(match.slice(2) as string[], now, loose) : undefined;
}

function monthNumber(name: string): number {
  return monthNames.indexOf(name.slice(0, 3).toLowerCase());
}

function monthOf(year: number, month: number): Span | undefined {
  return month >= 0 && month < 12 ? spanOf('month', new Date(year, month).getTime()) : undefined;
}

function quarterOf(year: number, quarter: string | undefined): Span {
  return spanOf('quarter', new Date(year, (Number(quarter) - 1) * 3).getTime());
}

function seasonOf(year: number, season: string): Span {
  const start = seasons[season.toLowerCase()] as number;
  return { from: new Date(year, start).getTime(), to: new Date(year, start + 3).getTime() };
}

function dateOf(now: number, month: number, day: number, year: string | undefined): Span | undefined {
  return year ? dayOf(Number(year), month, day) : latestOf((own) => dayOf(own, month, day), now);
}

/** The latest month, weekday or season of this name that has begun. */
function namedOf(now: number, month?: string, day?: string, season?: string): Span | undefined {
  if (month) return latestOf((year) => monthOf(year, monthNumber(month)), now);
  if (season) return latestOf((year) => seasonOf(year, season), now);
  const back = (new Date(now).getDay() - weekdayNames.indexOf((day as string).slice(0, 3).toLowerCase()) + 7) % 7;
  return spanOf('day', now, -back);
}

function latestEnded(latest: (now: number) => Span | undefined, now: number): Span | undefined {
  const span = latest(now);
  return span && span.to > now ? latest(span.from - 1) : span;
}

function partOf(span: Span | undefined, part: string | undefined): Span | undefined {
  if (!span || !part) return span;
  const third = { early: 0, mid: 1, late: 2 }[part.toLowerCase()] as number;
  const cut = (share: number) => spanOf('day', span.from + ((span.to - span.from) * share) / 3).from;
  return { from: cut(third), to: third === 2 ? span.to : cut(third + 1) };
}

function readCount(text: string): number {
  const word = text.toLowerCase().replace(/^a (?=few|couple)| of$/g, '');
  const number = Number(word);
  return Number.isNaN(number) ? (vagueCounts[word] ?? numbers.indexOf(word)) : number;
}

/** That day, or that minute or hour; in a question, rounded counts of weeks or more may be half a unit off. */
function ago(text: string, unit: string, now: number, loose: boolean): Span | undefined {
  const own = unit.toLowerCase() as Unit;
  const at = goBack(own, now, readCount(text));
  if (own === 'minute' || own === 'hour') return { from: at, to: now };
  const slack = loose ? { day: 0, week: 3, month: 15, quarter: 45, year: 182 }[own] * dayMs : 0;
  return { from: spanOf('day', at - slack).from, to: Math.min(spanOf('day', at + slack).to, spanOf('day', now).to) };
}

/** From this many units ago until now. */
function since(unit: Unit, now: number, count: number): Span {
  const from = goBack(unit, now, count);
  return { from: unit === 'minute' || unit === 'hour' ? from : spanOf('day', from).from, to: spanOf('day', now).to };
}

/** A calendar period; this weekend is the latest that has begun. */
function periodOf(unit: string, now: number, offset: number): Span {
  const own = unit.toLowerCase();
  if (own !== 'weekend') return spanOf(own as Unit, now, offset);
  const hasBegun = [0, 6].includes(new Date(now).getDay());
  const { to } = spanOf('week', now, offset === 0 && !hasBegun ? -1 : offset);
  return { from: goBack('day', to, 2), to };
}
