// Distinguishes a secret value from a word, a name, a reference or a placeholder, for values without a form of their own, such
// as after `password=`. Pure functions; the thresholds were tuned on bench/quality/redaction/tune.
import { entropyOf, isMadeUp, takeSample } from './rule.ts';

/** A value that consists only of these is a placeholder. */
const hollow = new Set(
  `
  a abc access account admin an and any api app as at auth authorization bar base baz bearer change client code
  consumer cookie credential credentials creds database db debug default demo dev development django dummy empty
  enabled enter env example fake false field filtered foo for from git github go guest hash here hidden host id in
  input insecure insert invalid is it jwt key keys local localhost login long masked me missing mock mongo mongodb
  my mypass mypasswd mypassword mysecret mysql mytoken name new nil no none not null number oauth of off ok old on
  optional or our pass passwd password passwords path phrase place placeholder please postgres postgresql prod
  production pw pwd qux random real redacted redis removed replace required root sa same sample secret secrets
  secure server service session set shared should some sql staging str string super supersecret system tbd test
  testing tests text the this to todo token tokens topsecret true type undefined unset url use user username valid
  value var very with word wrong www xx xxx xxxx yes you your
  `.match(/\S+/g),
);

/** Refers to a secret stored elsewhere, or computes one. */
const reference =
  /^(?:\$[\w({[]|[{<[|>&*]|%[\w({]|@[A-Z]|\(\(|!\w|~?\.{0,2}\/[\w.-]+(?:\/|$)|[a-z][\w+.-]*:\/\/|arn:|ENC\[|(?:env|vault|ssm|file|secret|ref|valueFrom):|(?:process|os|self|this|config|settings|secrets|var|data|module|local|params|req|request|options|props|state|input|args|ctx|env)[.[])/;

export function isReference(whole: string): boolean {
  const value = takeSample(whole);
  return reference.test(value) || /\$\{|\{\{|\$\(|%\(|<%/.test(value);
}

/** The last value, because each is checked several times in a row. */
let asked = '';
let answer = false;

export function isPlaceholder(whole: string): boolean {
  if (whole !== asked) [asked, answer] = [whole, findPlaceholder(whole)];
  return answer;
}

function findPlaceholder(whole: string): boolean {
  // Placeholders are not longer, and this runs for every value after a suspicious name.
  const value = whole.slice(0, 64);
  return isHollow(value) || isMonotonous(value) || isMadeUp(value) || /[•…]|\.{3}|\*{3}/.test(value);
}

/** `xxx-xxx`: at most three different characters. */
function isMonotonous(value: string): boolean {
  let different = '';
  for (let i = 0; i < value.length && different.length < 4; i++) {
    if (!different.includes(value[i] as string)) different += value[i];
  }
  return different.length < 4;
}

/** Consists only of placeholder words, or only of digits. A word is a run of at least two letters, split at camel case. */
function isHollow(value: string): boolean {
  let words = 0;
  for (let from = 0; from < value.length; ) {
    let to = from + 1;
    const first = kindOf(value.charCodeAt(from));
    if (first === lower || first === upper) {
      const kindAt = (at: number) => kindOf(value.charCodeAt(at));
      if (first === upper && kindAt(to) === upper) {
        // `HTTPServer`: the last capital begins the next word.
        while (kindAt(to) === upper && kindAt(to + 1) !== lower) to++;
      } else while (kindAt(to) === lower) to++;
      if (to - from > 1) {
        if (!hollow.has(value.slice(from, to).toLowerCase())) return false;
        words++;
      }
    }
    from = to;
  }
  return words > 0 || /^\d+$/.test(value);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(value: string): boolean {
  return uuid.test(value);
}

/** Random rather than written: the kind of character changes more often than in names and words. */
export function isRandom(whole: string, minimum: number): boolean {
  const value = takeSample(whole);
  if (value.length < minimum || !/\d/.test(value)) return false;
  const { size, switches, worded, hexLetters, hexOnly } = measure(value);
  if (size < value.length * 0.7) return false;
  if (hexOnly) return size >= 16 && hexLetters > 0 && entropyOf(value, isAlphanumeric) >= 2.8;
  if (worded > size * 0.55 || switches < (size - 1) * 0.3) return false;
  return entropyOf(value, isAlphanumeric) >= Math.min(3.4, Math.log2(size) - 0.6);
}

interface Measures {
  /** Number of letters and digits; only these are measured. */
  readonly size: number;
  /** Number of changes of the kind of character (lower case, capital, digit). */
  readonly switches: number;
  /** Number of letters in readable parts of a camel-case name. */
  readonly worded: number;
  readonly hexOnly: boolean;
  readonly hexLetters: number;
}

/** One pass without regular expressions, because this runs for every value after a suspicious name. */
function measure(value: string): Measures {
  let size = 0;
  let switches = 0;
  let worded = 0;
  let run = 0;
  let before = 0;
  let capitalBeforeRun = false;
  let lowerHex = 0;
  let upperHex = 0;
  let digits = 0;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    const kind = kindOf(code);
    if (kind === other) continue;
    size++;
    if (before !== 0 && kind !== before) switches++;
    if (kind === lower) {
      if (run === 0) capitalBeforeRun = before === upper;
      run++;
      if (code <= 102) lowerHex++;
    } else {
      if (run >= 3) worded += run + (capitalBeforeRun ? 1 : 0);
      run = 0;
      if (kind === digit) digits++;
      else if (code <= 70) upperHex++;
    }
    before = kind;
  }
  if (run >= 3) worded += run + (capitalBeforeRun ? 1 : 0);
  const hexOnly = digits + lowerHex === size || digits + upperHex === size;
  return { size, switches, worded, hexOnly, hexLetters: lowerHex + upperHex };
}

export function countSwitches(value: string): number {
  let switches = 0;
  for (let i = 1; i < value.length; i++)
    if (kindOf(value.charCodeAt(i)) !== kindOf(value.charCodeAt(i - 1))) switches++;
  return switches;
}

const lower = 1;
const upper = 2;
const digit = 3;
const other = 4;

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return lower;
  if (code >= 65 && code <= 90) return upper;
  return code >= 48 && code <= 57 ? digit : other;
}

function isAlphanumeric(code: number): boolean {
  return kindOf(code) !== other;
}

/** More than half of it is readable parts of a camel-case name. */
export function isWordy(value: string): boolean {
  const { size, worded } = measure(value);
  return worded > size * 0.55;
}

/** A typical human password: letters with digits or symbols, but not a name like `db-credentials-2`. */
export function isPassword(value: string): boolean {
  if (value.length < 6 || value.length > 128 || !/[A-Za-z]/.test(value) || isPlaceholder(value)) return false;
  if (/[|{}()[\]<>]|::|:\d+$/.test(value) || /^[\w.-]+@[\w-]+\.[a-z]+$/.test(value)) return false;
  if (/^[A-Za-z]+(?:[-_.:/]+[A-Za-z]+)+[-_.:/]*\d{0,2}$/.test(value)) return false;
  return /[\d!@#$%^&*+=~?]/.test(value) || (countSwitches(value) >= 5 && !isWordy(value));
}

/** Only letters, but not a placeholder: accepted if the name of the variable is unambiguous. */
export function isPlainWord(value: string): boolean {
  return /^[A-Za-z]{8,64}$/.test(value) && !isPlaceholder(value);
}

/** Has a symbol that names do not contain, or more digits. */
export function isNoIdentifier(value: string): boolean {
  return /[!@#%^&*+~]/.test(value) || /(?:\D*\d){3}/.test(value) || isRandom(value, 8);
}
