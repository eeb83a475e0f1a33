// Secrets known only by the name they are given: `DB_PASSWORD=…`, `"apiKey": "…"`, `--token …`,
// `<password>…</password>`. The name, the way it is written and the value decide together, because names alone are
// everywhere in code.
import { defineRule, type SecretPosition } from './rule.ts';
import { isPassphrase, rateValue } from './shape.ts';
import {
  countSwitches,
  isNoIdentifier,
  isPassword,
  isPlaceholder,
  isPlainWord,
  isRandom,
  isReference,
  isUuid,
} from './words.ts';

/**
 * From the end of a name to its value: `": "`, ` = `, `=`, `, "`, `>`, `("`, `=> '`, a line with `value:`, the next line of
 * YAML, the next cell of a table.
 */
const between =
  /["'\]\\`]{0,4}(?::[ ]{0,4}(?:[>|][+-]?)?[ ]{0,4}\r?\n[ \t]{1,24}(?=[^\s"'])|[ \t]{0,20}\|[ \t]{1,20}|(?::[ ]?(?:string|str|String|&str))?(?:[ \t]{1,2}is)?[ \t]{0,8}(?:=>|:=|\?=|[:=](?!=))[ \t]{0,8}|["'],[ \t]?(?=["'])|>(?=[^\s<])|\((?=["'])|\s{1,20}value:[ ]{1,4}|"[ ]value=(?="))/
    .source;

/**
 * Judged by its first characters only, so that a row of names costs little; `extend` takes what follows. A quoted value has to
 * end with its quote: with a space in it, it is a sentence.
 */
const value =
  /(?:[bru](?=["'])){0,1}(?:"([^"\s\\]{4,191}(?=["\\])|[^"\s\\]{192})|'([^'\s\\]{4,191}(?=['\\])|[^'\s\\]{192})|`([^`\s\\]{4,191}(?=[`\\])|[^`\s\\]{192})|\\{1,3}"([^"\s\\]{4,191}(?=["\\])|[^"\s\\]{192})|((?:[^\s"'`,;<>()[\]{}|\\&]|&(?![\w.%-]{0,40}=|[\s&]|amp;)){5,191}[^\s"'`,;<>()[\]{}|\\&.:]))/
    .source;

/** Signs that end a value only where something else begins behind them: the next setting, a quote, a space. */
const end = /[\s"'`<>]|[.:]?[,;|)\]}&](?:[\s"'`,;|)\]}<&]|[\w.%-]{1,40}[=:]|amp;|$)|\\["'nrt]|[.:](?:\s|$)|$/g;

/** A value goes on to its closing quote, or to the next space, whatever signs are in it: half a password is a leak too. */
function extend(text: string, start: number, until: number): number {
  const quote = text[start - 1] as string;
  if (!/["'`]/.test(quote) || text[start - 2] === '\\') {
    end.lastIndex = until;
    return end.exec(text)?.index ?? text.length;
  }
  let at = until;
  while (at < text.length && text[at] !== quote && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
  return text[at] === quote ? at : until;
}

/** What may follow the word without changing what it means; `_file`, `_id`, `_url` and the like do change it. */
const ending = /(?:[_-]?(?:[0-9]{1,2}|prod|production|live|dev|staging|value|default|base|plain|text))?/.source;

function compile(names: string): RegExp {
  return new RegExp(
    `(?:${names})${ending}(?:${between}|[ \\t]{1,8}(?<=(?:--[\\w-]{1,40}|\\bENV[ ]\\w{1,60})[ \\t]{1,8}))${value}`,
    'diy',
  );
}

interface Written {
  readonly name: string;
  readonly quoted: boolean;
  /** What parts name and value, quotes taken away. */
  readonly sign: string;
  readonly next: string;
}

function readWriting({ text, at, start, end }: SecretPosition): Written {
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

/** Read as program text: a call, an element, a path of names; or a tag that does not close behind the value. */
function isCode(secret: string, { sign, next }: Written): boolean {
  if (next === '(' || next === '[' || next === '{' || /\?\.|^!!/.test(secret)) return true;
  if (sign.endsWith('>') && sign !== '=>') return next !== '<';
  return sign !== '=' && /^[A-Za-z_$][\w$]{0,19}(?:[.:]{1,2}[A-Za-z_$][\w$]{0,19})+$/.test(secret);
}

/** Names that end in `pass` and mean a password; `bypass` and `renderpass` do not. */
const gluedPass =
  /(?:^|[^A-Za-z])(?:admin|api|app|auth|db|default|email|ftp|http|imap|keystore|ldap|login|mail|mongo|mq|my|mysql|pg|postgres|proxy|redis|root|smtp|sql|ssh|truststore|user|wifi)pass$/i;

/** The value is all of its line, or of its cell in a row whose first cell is the name. */
function isAlone({ text, at, end }: SecretPosition, sign: string): boolean {
  if (!sign.includes('|') || sign.includes('\n')) return /^[ \t]{0,8}(?:\r?\n|$)/.test(text.slice(end, end + 10));
  const line = text.slice(Math.max(text.lastIndexOf('\n', at) + 1, at - 60), at);
  return /^\s*\|[^|]*$/.test(line) && /^[ \t]{0,40}\|/.test(text.slice(end, end + 41));
}

function checkPassword(secret: string, place: SecretPosition): boolean {
  if (!/[\d!@#$%^&*+=~?]/.test(secret) && !/^[A-Za-z]{8,64}$/.test(secret) && countSwitches(secret) < 5) return false;
  if (isReference(secret) || isPlaceholder(secret)) return false;
  const written = readWriting(place);
  const { name, quoted, sign, next } = written;
  if (/[a-z]pass$|[A-Z]PASS$/.test(name) && !gluedPass.test(name)) return false;
  if (/[\n|]/.test(sign)) return isAlone(place, sign) && rateValue(secret) !== 'none';
  if (quoted) return (isPassword(secret) && (sign !== ',' || isNoIdentifier(secret))) || isRandom(secret, 10);
  if (isCode(secret, written)) return false;
  if (isRandom(secret, 12)) return true;
  // `PASS: Unauthorized` is a test's result.
  if (isPlainWord(secret))
    return /^[A-Z][A-Z0-9_]*$/.test(name) && (sign === '=' || (sign === ': ' && name !== 'PASS'));
  if (!isPassword(secret)) return false;
  if (sign === '=' || sign === '>') return true;
  return isNoIdentifier(secret) && next !== ',' && next !== ')' && next !== ';';
}

function checkSecret(secret: string, place: SecretPosition): boolean {
  if (isPlaceholder(secret)) return false;
  const written = readWriting(place);
  const { name, quoted, sign } = written;
  if (
    /(?:public|pub|publishable|csrf|xsrf|authenticity|primary|foreign|cache|page|next|sync|continuation)[_-]?\w*$/i.test(
      name,
    )
  )
    return false;
  if (/[\n|]/.test(sign)) return isAlone(place, sign) && isRandom(secret, 16);
  if (!quoted && isCode(secret, written)) return false;
  // Base64 may begin with a slash, which is otherwise a path.
  if (/^\/[A-Za-z0-9+/]{30,}={0,2}$/.test(secret) && isRandom(secret, 32)) return true;
  return !isReference(secret) && (isUuid(secret) || isRandom(secret, quoted ? 10 : 16));
}

/** As settings in other languages are named. */
const foreignNames = [
  'passwort',
  'kennwort',
  'contrasena',
  'senha',
  'mot_de_passe',
  'motdepasse',
  'wachtwoord',
  'heslo',
];

const keyOwners =
  'api|access|secret|private|encryption|encrypt|decryption|signing|sign|signature|auth|master|app|application|service|storage|shared|session|hmac|jwt|crypto|deploy|admin|webhook|aes|account|client|consumer|license|subscription|ingest|integration|insert|write|read';

export const listAssignedRules = () => [
  defineRule({
    id: 'assigned-secret',
    description: 'A password behind its name, in a setting, a program, a header or a command',
    keywords: ['password', 'passwd', 'passphrase', 'pass', 'pwd', ...foreignNames],
    anyCase: true,
    inside: true,
    pattern: compile(['password|passwd|passphrase|pass(?![a-z])|pwd', ...foreignNames].join('|')),
    extend,
    check: checkPassword,
  }),
  defineRule({
    id: 'assigned-secret',
    description: 'A random value behind a name such as secret, token or credential',
    keywords: ['secret', 'token', 'credential', 'creds'],
    anyCase: true,
    inside: true,
    pattern: compile('(?:secret|token)(?:[_-]?key)?|credentials?|creds'),
    extend,
    check: checkSecret,
  }),
  defineRule({
    id: 'assigned-secret',
    description: 'A random value behind a name such as api key, access key or signing key',
    keywords: ['key'],
    anyCase: true,
    inside: true,
    pattern: compile(`(?<=(?:${keyOwners})[_. -]?)key`),
    extend,
    check: checkSecret,
  }),
  defineRule({
    id: 'assigned-secret',
    description: 'A passphrase of plain words behind its name',
    keywords: ['password', 'passwd', 'passphrase', 'pwd'],
    anyCase: true,
    inside: true,
    pattern:
      /(?:password|passwd|passphrase|pwd)["']?[ \t]{0,4}[:=][ \t]{0,4}["']([a-z]{3,12}(?:[ ][a-z]{3,12}){2,7}\d{0,4})["']/diy,
    check: isPassphrase,
  }),
  defineRule({
    id: 'npmrc-token',
    description: 'A registry login in .npmrc: _authToken, _auth, _password',
    keywords: [':_auth', ':_password', '_auth='],
    inside: true,
    pattern: /:?_(?:authToken|auth|password)[ \t]{0,2}=[ \t]{0,2}"?([^\s"'<>$]{8,192})/dy,
    stop: /[\s"'<>$]/g,
    check: (secret) => !isReference(secret) && !isPlaceholder(secret) && !/[([]/.test(secret),
  }),
];
