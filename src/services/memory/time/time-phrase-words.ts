// The words of time: months, days of the week, seasons, units and numbers, by their spellings in lower case.

function spell(list: string): ReadonlyMap<string, number> {
  return new Map(
    list
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split('='))
      .map(([word, value]) => [word as string, Number(value)]),
  );
}

export const months = spell(`
  january=1 february=2 march=3 april=4 may=5 june=6 july=7 august=8 september=9 october=10 november=11 december=12
  jan=1 feb=2 mar=3 apr=4 jun=6 jul=7 aug=8 sep=9 sept=9 oct=10 nov=11 dec=12
`);
/** Also a verb, a name, a number's base: not a month by itself. */
export const doubtfulMonths = new Set('march april may june august'.split(' '));
/** Monday is 0. */
export const weekdays = spell(`
  monday=0 tuesday=1 wednesday=2 thursday=3 friday=4 saturday=5 sunday=6
  mon=0 tue=1 tues=1 wed=2 thu=3 thur=3 thurs=3 fri=4 sat=5 sun=6
`);
/** The month they begin with, north of the equator; each has three. */
export const seasons = spell('spring=3 summer=6 autumn=9 fall=9 winter=12');

const numbers = spell(`
  a=1 an=1 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 thirteen=13
  fourteen=14 fifteen=15 sixteen=16 eighteen=18 twenty=20 thirty=30 forty=40 fifty=50 sixty=60 ninety=90 dozen=12
`);
const ordinals = spell(`
  first=1 second=2 third=3 fourth=4 fifth=5 sixth=6 seventh=7 eighth=8 ninth=9 tenth=10 eleventh=11 twelfth=12
`);

export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

const units = new Map<string, Unit>(
  Object.entries({
    minute: 'minute minutes min mins',
    hour: 'hour hours hr hrs h',
    day: 'day days d',
    week: 'week weeks wk wks w',
    month: 'month months mo',
    quarter: 'quarter quarters',
    year: 'year years yr yrs y',
  }).flatMap(([unit, words]) => words.split(' ').map((word) => [word, unit as Unit] as const)),
);

/** After a number these make it a count of things rather than a year. */
export const countedThings = new Set(
  `ms s bytes kb mb gb rows lines requests tokens items characters chars steps users px pixels files records messages
  nodes entries times connections events documents words points seconds minutes hours days weeks months years calls ops
  iterations samples errors tests`.split(/\s+/),
);

export function readUnit(word: string | undefined): Unit | undefined {
  return word === undefined ? undefined : units.get(word);
}

/** `7`, `seven`, `twenty-five`. */
export function readCardinal(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (/^\d{1,3}$/.test(word)) return Number(word);
  const [tens, ones] = word.split('-');
  const sum = numbers.get(tens as string);
  if (ones === undefined || sum === undefined) return sum;
  const one = numbers.get(ones);
  return sum >= 20 && one !== undefined && one < 10 ? sum + one : undefined;
}

/** `3rd`, `third`. */
export function readOrdinal(word: string | undefined): number | undefined {
  const digits = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(word ?? '');
  return digits ? Number(digits[1]) : ordinals.get(word ?? '');
}

const firstWords = new Set([
  ...months.keys(),
  ...weekdays.keys(),
  ...seasons.keys(),
  ...numbers.keys(),
  ...ordinals.keys(),
  ...`yesterday today tonight earlier this these last past previous recently lately recent other just half few couple
  several day week weekend month quarter year early mid late start beginning middle end`.split(/\s+/),
]);

/** Whether any period begins with the word: most words of a query leave here. */
export function beginsPeriod(word: string): boolean {
  return firstWords.has(word) || /^(?:\d|[qh][1-4]|(?:twen|thir|for|fif|six|nine)ty-)/.test(word);
}
