// Finds secrets in sentences: a word such as "password" in one of many languages, a few introducing words, and a value that
// looks like a secret. Word lists only select positions; shape.ts judges the value.
import { defineRule, judgedLength, type Range } from './rule.ts';
import { isPassphrase, isWordWithNumber, rateValue } from './shape.ts';
import { isRandom, isUuid } from './words.ts';

/** Characters checked after a label. */
const reach = 120;
const mostWords = 8;

/** Words directly before a value: forms of "to be", "set to". */
const leading = new Set(
  'is are was be to equals reads ist lautet war auf es son era est é è luidt jest brzmi je är er adalah là este now still currently again jetzt ahora'.split(
    ' ',
  ),
);

/** The forms of "to be" among these, and words that may come between them and the value. */
const being = new Set('is was are equals reads ist lautet war es era est é è luidt jest brzmi je är er'.split(' '));
const after = new Set('now still currently again jetzt ahora'.split(' '));

/** Directly after a label these change its meaning: a password field, a token's id, the hash of a key. */
const aside = new Set(
  'id ids hash hashes fingerprint digest checksum name file path url length size type version limit count field header policy manager expiry prompt page'.split(
    ' ',
  ),
);

const space = /[ \t]{1,4}/y;
/** `: `, ` = `, `—`, `->`, `：`; not the `==` of a program. */
const sign = /[ \t]{0,2}(?:->|=>|[:=](?![:=])|[：→–—]|-(?=[ \t]))[ \t]{0,4}/y;
const remark = /[ \t]?\([^()\n]{1,24}\)/y;
/** Characters that are judged; the `token` itself may be longer. */
const token = /[!-~\u00c0-\u024f]{1,192}/y;
const tokenEnd = /[^!-~\u00c0-\u024f]/g;
const quoted =
  /(?:"([^"\n]{4,128})"|'([^'\n]{4,128})'|`([^`\n]{4,128})`|[«„“「『‘][ \u00a0]?([^»“”」』’\n]{4,128}?)[ \u00a0]?[»“”」』’])/y;
const quotes = '"\'`«„“「『‘';

interface Walk {
  readonly text: string;
  at: number;
  /** The last word introduces a value. */
  tight: boolean;
  /** It does so clearly: a colon, a form of "to be". */
  sure: boolean;
  words: number;
}

type Judge = (value: string, walk: Walk, start: number, isQuoted: boolean) => boolean;

/** Compiled for the first text: their Unicode classes would slow down every start. */
function readPatterns() {
  return {
    inflection: /(?:['’]s|[\p{L}]{1,4})(?=[ \t:：(])/uy,
    /** Letters of scripts that need no space before a value. */
    foreign: /[^\p{ASCII}\p{Script=Latin}\p{P}\p{S}\s]{1,24}/uy,
    /** Characters that may follow a label in a sentence; most labels in programs end here. */
    begins:
      /(?:['’]s|\p{L}{1,4})?(?:[ \t:(]|(?<=[^\p{ASCII}]\p{L}{0,4})=|[^\p{ASCII}\p{L}])|[\u0e00-\u0e7f\u3040-\ud7af]/uy,
  };
}

let patterns: ReturnType<typeof readPatterns> | undefined;

/** A value has a digit, except for words in quotes. */
const promising = /[^\n\d"'`«„“「『‘]{0,120}[\d"'`«„“「『‘]/y;

/** Reads on from a label, word by word, until a value is found or excluded. */
function findValue(text: string, from: number, judge: Judge): Range | undefined {
  patterns ??= readPatterns();
  const { begins, inflection, foreign } = patterns;
  begins.lastIndex = from;
  if (!begins.test(text)) return undefined;
  promising.lastIndex = from;
  if (!promising.test(text)) return undefined;
  const walk: Walk = { text, at: from, tight: true, sure: false, words: 0 };
  take(walk, inflection);
  const end = Math.min(text.length, from + reach);
  while (walk.at < end && walk.words <= mostWords) {
    if (take(walk, remark)) continue;
    if (take(walk, sign)) {
      walk.tight = true;
      walk.sure = true;
      continue;
    }
    if (text.charCodeAt(walk.at) > 0x24f && take(walk, foreign)) {
      walk.tight = true;
      walk.words++;
      continue;
    }
    const spaced = take(walk, space);
    const value = readQuoted(walk, judge);
    if (value !== undefined) return value ?? undefined;
    if (!spaced && walk.at === from) return undefined;
    token.lastIndex = walk.at;
    const found = token.exec(text)?.[0];
    if (found === undefined) {
      if (!spaced) return undefined;
      continue;
    }
    const next = readToken(walk, found, judge);
    if (next !== undefined) return next ?? undefined;
  }
  return undefined;
}

/** A range; null if the search ends; undefined if it continues. */
type Step = Range | null | undefined;

function readQuoted(walk: Walk, judge: Judge): Step {
  if (!walk.tight || !quotes.includes(walk.text[walk.at] ?? ' ')) return undefined;
  quoted.lastIndex = walk.at;
  const match = quoted.exec(walk.text);
  const value = match?.[1] ?? match?.[2] ?? match?.[3] ?? match?.[4];
  if (!match || value === undefined) return undefined;
  const start = walk.at + match[0].indexOf(value, 1);
  return judge(value, walk, start, true) ? [start, start + value.length] : null;
}

function readToken(walk: Walk, found: string, judge: Judge): Step {
  const value = found.slice(0, trimEnd(found, 0, found.length));
  const start = walk.at;
  walk.at += found.length;
  if ((walk.tight || (judge === isSecret && opaque.test(value))) && judge(value, walk, start, false)) {
    if (found.length < judgedLength) return [start, start + value.length];
    tokenEnd.lastIndex = walk.at;
    return [start, trimEnd(walk.text, start, tokenEnd.exec(walk.text)?.index ?? walk.text.length)];
  }
  const tail = found.slice(value.length);
  if (/[.,;]/.test(tail) || /[!?]$/.test(value)) return null;
  const word = value.toLowerCase();
  if (walk.words === 0 && aside.has(word)) return null;
  if (walk.tight && walk.words > 0 && !/^[\p{L}'’-]+$/u.test(value)) return null;
  walk.words++;
  walk.tight = tail.endsWith(':') || leading.has(word);
  walk.sure = tail.endsWith(':') || being.has(word) || (walk.sure && after.has(word));
  return undefined;
}

/** The end of a word without the punctuation after it. */
function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && '.,;:)]}\'"`*'.includes(text[at - 1] as string)) at--;
  return at;
}

function take(walk: Walk, part: RegExp): boolean {
  part.lastIndex = walk.at;
  const found = part.exec(walk.text)?.[0];
  if (!found) return false;
  walk.at += found.length;
  return true;
}

/** After a name in a program: `password: user2form,` at the end of a line, `password: hash2hex(`. */
const codeEnd = /(?:[,;)}\]]{1,3}[ \t]{0,4}\n|\()/y;

const isPassword: Judge = (value, { text, sure }, start, isQuoted) => {
  const strength = rateValue(value);
  if (strength === 'strong') return true;
  if (isQuoted) return strength === 'fair' || isPassphrase(value);
  codeEnd.lastIndex = start + value.length;
  return (strength === 'fair' || (sure && isWordWithNumber(value))) && !codeEnd.test(text);
};

/** So random that no introducing word is needed: `the auth token for the printer …`. */
const opaque = /^(?=.{0,63}[a-z])(?=.{0,63}[A-Z])(?=.{0,63}\d)[A-Za-z\d]{24,64}$/;

const isSecret: Judge = (value, { words }) =>
  (isUuid(value) && words <= 1) || (rateValue(value) === 'strong' && isRandom(value, 16));

const find =
  (judge: Judge) =>
  (text: string, from: number): Range[] => {
    const range = findValue(text, from, judge);
    return range ? [range] : [];
  };

const seedLead = /["']?[ ]{0,2}(?:is|are)?[ ]{0,2}[:=]?[ ]{0,2}["'`]?/iy;
const seedWords = /[a-z]{1,12}(?:[ ][a-z]{1,12}){0,25}/y;

/** Twelve to twenty-four plain words, as in wallet recovery phrases: no sentence has so many of three to eight letters. */
function findSeed(text: string, from: number): Range[] {
  seedLead.lastIndex = from;
  const start = seedLead.test(text) ? seedLead.lastIndex : from;
  seedWords.lastIndex = start;
  const found = seedWords.exec(text)?.[0] ?? '';
  const words = found.split(' ');
  if (words.length < 12 || words.length > 24 || words.length % 3 !== 0) return [];
  const isSeed = words.every(({ length }) => length >= 3 && length <= 8) && !sentenceWords.test(found);
  return isSeed ? [[start, start + found.length]] : [];
}

const sentenceWords = /(?:^| )(?:and|are|for|from|has|its|not|the|was|which|with|your)(?: |$)/;

/** Not 1234, 0000 or 4321, which are placeholders. */
function isPin(value: string): boolean {
  const steps = new Set([...value].slice(1).map((digit, i) => Number(digit) - Number(value[i])));
  return steps.size > 1 || ![-1, 0, 1].includes([...steps][0] as number);
}

export const listProseRules = () => [
  defineRule({
    id: 'secret',
    description: 'A password in a sentence that names it, in many languages',
    keywords: [
      ...['password', 'passwort', 'passwd', 'passphrase', 'passcode', 'pwd', 'pw is', 'pw: ', 'pw = '],
      ...['kennwort', 'contrase', 'clave', 'mot de passe', 'mdp ', 'mdp:', 'senha', 'wachtwoord', 'senord', 'passord'],
      ...['adgangskode', 'heslo', 'salasana', 'parola', 'kata sandi'],
      ...['hasło', 'şifre', 'mật khẩu', 'парол', 'κωδικός', 'סיסמה', 'סיסמא', 'كلمة المرور', 'كلمة السر'],
      ...['パスワード', '密码', '密碼', '口令', '비밀번호', '암호', 'รหัสผ่าน', 'पासवर्ड'],
    ],
    anyCase: true,
    inside: true,
    pattern:
      /passwor[dt]|passwd|passphrase|passcode|pwd?|kennwort|contrase[ñn](?:y?a)|clave|mot de passe|mdp|senha|wachtwoord|senord|passord|adgangskode|heslo|salasana|parola|kata sandi|hasło|şifre|mật khẩu|парол|κωδικός|סיסמה|סיסמא|كلمة المرور|كلمة السر|パスワード|密码|密碼|口令|비밀번호|암호|รหัสผ่าน|पासवर्ड/diy,
    find: find(isPassword),
  }),
  defineRule({
    id: 'secret',
    description: 'A random value in a sentence that calls it a secret, a token or a key',
    keywords: ['secret', 'token', 'key', 'токен', 'ключ', 'トークン', 'キー', '密钥', '令牌'],
    anyCase: true,
    inside: true,
    pattern:
      /secret|token|(?<=(?:api|access|account|secret|signing|encryption|private|master|auth|storage|service|license|deploy)[_. -]?)key|токен|ключ|トークン|キー|密钥|令牌/diy,
    find: find(isSecret),
  }),
  defineRule({
    id: 'secret',
    description: 'A password before its name: use … as the password',
    keywords: ['password', 'passwort', 'passphrase', 'passcode', 'kennwort', 'contrase', 'mot de passe', 'senha'],
    anyCase: true,
    inside: true,
    pattern:
      /(?<=(?<![^\s"'`«„“])([^\s"'`«„“]{8,64})["'`»”]?[ ]{1,2}(?:as|als|como|comme|come|som|jako)[ ](?:[\p{L}']{1,8}[ ]){0,3})p?(?:asswor[dt]|assphrase|asscode|kennwort|contrase|mot de passe|senha)/diuy,
    check: (value) => rateValue(value) !== 'none',
  }),
  defineRule({
    id: 'secret',
    description: 'A login in a sentence: user, then password',
    keywords: ['login', 'log-in', 'credential', 'creds', 'zugangsdaten', 'identifiants', 'credenciales'],
    anyCase: true,
    inside: true,
    pattern:
      /(?:log-?in|credentials?|creds|zugangsdaten|identifiants|credenciales)(?:[ ][^\s:.;,!?]{1,20}){0,6}?(?:[ ]?[:=]|[ ](?:is|are|was|ist|sind|lauten|es|son|est|sont))[ ]{1,3}["'`]?[\w.@+-]{2,40}["'`]?[ ]?[:/|][ ]?["'`]?([^\s"'`]{5,127}[^\s"'`.,;:)])/diy,
    check: (value) => rateValue(value) !== 'none',
  }),
  defineRule({
    id: 'secret',
    description: 'A login in a sentence: log in as user with or / password',
    keywords: ['login', 'log in', 'logged in', 'sign in'],
    anyCase: true,
    pattern:
      /(?:log ?in|logged in|sign in)(?:[ ][\w.-]{1,20}){0,4}?[ ](?:as|with|using)[ ](?:user[ ])?["'`]?[\w.@+-]{2,40}["'`]?(?:[ ]?[/:][ ]?|[ ](?:and|with)[ ])["'`]?([^\s"'`]{7,127}[^\s"'`.,;:)])/diy,
    check: (value) => rateValue(value) !== 'none',
  }),
  defineRule({
    id: 'secret',
    description: 'A password in a sentence behind its user: user root, pass …',
    keywords: ['pass ', 'pass:'],
    pattern:
      /(?<=[Uu]ser(?:name)?[ :=]{1,3}["'`]?[\w.@+-]{1,40}["'`]?[ ]?[,;/]?[ ](?:and[ ])?)pass[: ]{1,2}["'`]?([^\s"'`]{7,127}[^\s"'`.,;:)])/dy,
    check: (value) => rateValue(value) !== 'none',
  }),
  defineRule({
    id: 'secret',
    description: 'A PIN of four to eight digits behind its name',
    keywords: ['PIN', 'passcode', 'Passcode', '暗証番号'],
    pattern:
      /(?:PIN|[Pp]asscode|暗証番号)(?:[- ]?[Cc]ode)?(?:(?:[ ][A-Za-z]{1,12}){0,6}?[ ](?:is|was|ist|lautet|es|est)|[ ]?[:=]|：|は)?[ ]{0,2}(?<![A-Za-z])(\d{4,8})(?![\w.,:-]?\d)(?!\w)/dy,
    check: isPin,
  }),
  defineRule({
    id: 'secret',
    description: 'The words that restore a wallet',
    keywords: ['seed phrase', 'seed words', 'mnemonic', 'recovery phrase'],
    anyCase: true,
    inside: true,
    pattern: /seed (?:phrase|words)|mnemonic|recovery phrase/diy,
    find: findSeed,
  }),
];
