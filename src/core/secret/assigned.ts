// Secrets known only by the name they are given: `DB_PASSWORD=…`, `"apiKey": "…"`, `--token …`,
// `<password>…</password>`. The name, the way it is written and the value decide together, because names alone are
// everywhere in code.
import { defineRule, judgedLength, type Place } from './rule.ts';
import { isNoIdentifier, isPassword, isPlaceholder, isPlainWord, isRandom, isReference, isUuid } from './words.ts';

/** From the end of a name to its value: `": "`, ` = `, `=`, `, "`, `>`, `("`, `=> '`, or a line with `value:`. */
const between =
  /["'\]\\`]{0,4}(?:(?::[ ]?(?:string|str|String|&str))?(?:[ \t]{1,2}is)?[ \t]{0,8}(?:=>|:=|\?=|[:=](?!=))[ \t]{0,8}|["'],[ \t]?(?=["'])|>(?=[^\s<])|\((?=["'])|\s{1,20}value:[ ]{1,4}|"[ ]value=(?="))/
    .source;

/** Judged by its first characters only, so that a row of names costs little; `rest` takes what follows. */
const value =
  /(?:"([^"\s\\]{4,192})|'([^'\s\\]{4,192})|`([^`\s\\]{4,192})|\\{1,3}"([^"\s\\]{4,192})|([^\s"'`,;<>()[\]{}|\\&]{5,191}[^\s"'`,;<>()[\]{}|\\&.:]))/
    .source;

const rest = /[^\s"'`,;<>()[\]{}|\\&]*/y;

/** What may follow the word without changing what it means; `_file`, `_id`, `_url` and the like do change it. */
const ending = /(?:[_-]?(?:[0-9]{1,2}|prod|production|live|dev|staging|value|default|base|plain|text))?/.source;

function compile(names: string): RegExp {
  return new RegExp(`(?:${names})${ending}(?:${between}|(?<=--[\\w-]{1,40})[ \\t]+)${value}`, 'diy');
}

interface Written {
  readonly name: string;
  readonly quoted: boolean;
  /** What parts name and value, quotes taken away. */
  readonly sign: string;
  readonly next: string;
}

function readWriting({ text, at, start, end }: Place): Written {
  let from = at;
  while (from > 0 && at - from < 48 && /[\w.-]/.test(text[from - 1] as string)) from--;
  const name = /^[\w.-]+/.exec(text.slice(from, start))?.[0] ?? '';
  return {
    name,
    quoted: /["'`]/.test(text[start - 1] as string),
    sign: text.slice(from + name.length, start).replace(/["'`\\\]]/g, ''),
    next: text[end] ?? '',
  };
}

/** A quoted value has to end with its quote: with a space in it, it is a sentence. */
function isSentence(secret: string, { quoted, next }: Written): boolean {
  return quoted && !/["'`\\]/.test(next) && secret.length < judgedLength;
}

/** Read as program text: a call, an element, a path of names; or a tag that does not close behind the value. */
function isCode(secret: string, { sign, next }: Written): boolean {
  if (next === '(' || next === '[' || next === '{' || secret.includes('?.')) return true;
  if (sign.endsWith('>') && sign !== '=>') return next !== '<';
  return sign !== '=' && /^[A-Za-z_$][\w$]{0,19}(?:[.:]{1,2}[A-Za-z_$][\w$]{0,19})+$/.test(secret);
}

function checkPassword(secret: string, place: Place): boolean {
  if (isReference(secret) || isPlaceholder(secret)) return false;
  const written = readWriting(place);
  const { name, quoted, sign, next } = written;
  if (isSentence(secret, written)) return false;
  if (/[a-z]pass$|bypass$|compass$/.test(name) || /(?:BY|COM)PASS$/.test(name)) return false;
  if (quoted) return (isPassword(secret) && (sign !== ',' || isNoIdentifier(secret))) || isRandom(secret, 10);
  if (isCode(secret, written)) return false;
  if (isRandom(secret, 12)) return true;
  if (isPlainWord(secret)) return /^[A-Z][A-Z0-9_]*$/.test(name) && (sign === '=' || sign === ': ');
  if (!isPassword(secret)) return false;
  if (sign === '=' || sign === '>') return true;
  return isNoIdentifier(secret) && next !== ',' && next !== ')' && next !== ';';
}

function checkSecret(secret: string, place: Place): boolean {
  if (isPlaceholder(secret)) return false;
  const written = readWriting(place);
  const { name, quoted } = written;
  if (isSentence(secret, written)) return false;
  if (
    /(?:public|pub|publishable|csrf|xsrf|authenticity|primary|foreign|cache|page|next|sync|continuation)[_-]?\w*$/i.test(
      name,
    )
  )
    return false;
  if (!quoted && isCode(secret, written)) return false;
  // Base64 may begin with a slash, which is otherwise a path.
  if (/^\/[A-Za-z0-9+/]{30,}={0,2}$/.test(secret) && isRandom(secret, 32)) return true;
  return !isReference(secret) && (isUuid(secret) || isRandom(secret, quoted ? 10 : 16));
}

const keyOwners =
  'api|access|secret|private|encryption|encrypt|decryption|signing|sign|signature|auth|master|app|application|service|storage|shared|session|hmac|jwt|crypto|deploy|admin|webhook|aes|account|client|consumer|license|subscription|ingest|integration|insert|write|read';

export const listAssignedRules = () => [
  defineRule({
    id: 'assigned-secret',
    description: 'A password behind its name, in a setting, a program, a header or a command',
    keywords: ['password', 'passwd', 'passphrase', 'pass', 'pwd'],
    anyCase: true,
    inside: true,
    pattern: compile('password|passwd|passphrase|pass(?![a-z])|pwd'),
    rest,
    check: checkPassword,
  }),
  defineRule({
    id: 'assigned-secret',
    description: 'A random value behind a name such as secret, token or credential',
    keywords: ['secret', 'token', 'credential', 'creds'],
    anyCase: true,
    inside: true,
    pattern: compile('(?:secret|token)(?:[_-]?key)?|credentials?|creds'),
    rest,
    check: checkSecret,
  }),
  defineRule({
    id: 'assigned-secret',
    description: 'A random value behind a name such as api key, access key or signing key',
    keywords: ['key'],
    anyCase: true,
    inside: true,
    pattern: compile(`(?<=(?:${keyOwners})[_. -]?)key`),
    rest,
    check: checkSecret,
  }),
  defineRule({
    id: 'npmrc-token',
    description: 'A registry login in .npmrc: _authToken, _auth, _password',
    keywords: [':_auth', ':_password', '_auth='],
    inside: true,
    pattern: /:?_(?:authToken|auth|password)[ \t]{0,2}=[ \t]{0,2}"?([^\s"'<>$]{8,2048})/dy,
    check: (secret) => !isReference(secret) && !isPlaceholder(secret),
  }),
];
