// Finds secrets by the name of a value: `DB_PASSWORD=…`, `"apiKey": "…"`, `--token …`, `<password>…</password>`. Name,
// notation and value decide together, because such names are frequent in code.
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
 * Between name and value: `": "`, ` = `, `=`, `, "`, `>`, `("`, `=> '`, a line with `value:`, the next line of YAML, the
 * next cell of a table.
 */
const between =
  /["'\]\\`]{0,4}(?::[ ]{0,4}(?:[>|][+-]?)?[ ]{0,4}\r?\n[ \t]{1,24}(?=[^\s"'])|[ \t]{0,20}\|[ \t]{1,20}|(?::[ ]?(?:string|str|String|&str))?(?:[ \t]{1,2}is)?[ \t]{0,8}(?:=>|:=|\?=|[:=](?!=))[ \t]{0,8}|["'],[ \t]?(?=["'])|>(?=[^\s<])|\((?=["'])|\s{1,20}value:[ ]{1,4}|"[ ]value=(?="))/
    .source;

/**
 * Only the first characters are checked, so that a row of names costs little; `extend` takes the rest. A quoted value must
 * end with its quote; with a space in it, it is a sentence.
 */
const value =
  /(?:[bru](?=["'])){0,1}(?:"([^"\s\\]{4,191}(?=["\\])|[^"\s\\]{192})|'([^'\s\\]{4,191}(?=['\\])|[^'\s\\]{192})|`([^`\s\\]{4,191}(?=[`\\])|[^`\s\\]{192})|\\{1,3}"([^"\s\\]{4,191}(?=["\\])|[^"\s\\]{192})|((?:[^\s"'`,;<>()[\]{}|\\&]|&(?![\w.%-]{0,40}=|[\s&]|amp;)){5,191}[^\s"'`,;<>()[\]{}|\\&.:]))/
    .source;

/** Characters that end a value only if something else follows: the next setting, a quote, a space. */
const end = /[\s"'`<>]|[.:]?[,;|)\]}&](?:[\s"'`,;|)\]}<&]|[\w.%-]{1,40}[=:]|amp;|$)|\\["'nrt]|[.:](?:\s|$)|$/g;

/** A value extends to its closing quote or the next space, whatever it contains: half a password is a leak, too. */
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

/** Suffixes that do not change the meaning of the name; `_file`, `_id`, `_url` and the like do. */
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
  /** The text between name and value, without quotes. */
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

/** Program text: a call, an element, a path of names; or a tag that is not closed after the value. */
function isCode(secret: string, { sign, next }: Written): boolean {
  if (next === '(' || next === '[' || next === '{' || /\?\.|^!!/.test(secret)) return true;
  if (sign.endsWith('>') && sign !== '=>') return next !== '<';
  return sign !== '=' && /^[A-Za-z_$][\w$]{0,19}(?:[.:]{1,2}[A-Za-z_$][\w$]{0,19})+$/.test(secret);
}

/** Names that end in `pass` and mean a password; `bypass` and `renderpass` do not. */
const gluedPass =
  /(?:^|[^A-Za-z])(?:admin|api|app|auth|db|default|email|ftp|http|imap|keystore|ldap|login|mail|mongo|mq|my|mysql|pg|postgres|proxy|redis|root|smtp|sql|ssh|truststore|user|wifi)pass$/i;

/** The value fills its line, or its cell in a row whose first cell is the name. */
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
  // `PASS: Unauthorized` is a test result.
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
  // Base64 may begin with a slash; otherwise it is a path.
  if (/^\/[A-Za-z0-9+/]{30,}={0,2}$/.test(secret) && isRandom(secret, 32)) return true;
  return !isReference(secret) && (isUuid(secret) || isRandom(secret, quoted ? 10 : 16));
}

/** Names of settings in other languages. */
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
