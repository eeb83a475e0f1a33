// Finds secrets by their position: headers, URLs, commands. References (`$TOKEN`), placeholders (`user:pass`) and very short
// values are excluded.
import { isBasicPair, isJwt } from './checks.ts';
import { defineRule, isLively, type SecretPosition } from './rule.ts';
import { isPassword, isPlaceholder, isRandom, isReference } from './words.ts';

/** Excludes placeholders from documentation and the repeated user name. */
function isPasswordOf(secret: string, user: string): boolean {
  return secret !== user && !isReference(secret) && !isPlaceholder(secret) && !/^[%*{}$]/.test(secret);
}

function checkPair(secret: string, { text, at, start }: SecretPosition): boolean {
  const user = /[\w.%+@-]*$/.exec(text.slice(at, start - 1))?.[0] ?? '';
  return isPasswordOf(secret, user);
}

export const listPlaceRules = () => [
  defineRule({
    id: 'jwt',
    description: 'JSON Web Token, signed or encrypted',
    keywords: ['eyJ'],
    pattern: /eyJ[\w-]{8,8192}\.[\w-]{0,65536}\.[\w-]{0,8192}(?:\.[\w-]{1,65536}\.[\w-]{1,8192})?/dy,
    run: /[^\w-]/g,
    check: isJwt,
  }),
  defineRule({
    id: 'authorization',
    description: 'Credentials in an Authorization header',
    keywords: ['authorization'],
    anyCase: true,
    inside: true,
    pattern:
      /authorization["'\]\\]{0,3}[ \t]{0,4}(?:=>|[:=,])[ \t]{0,4}["'`\\]{0,3}(?:[a-z][a-z-]{2,20}[ ]{1,4})?(?:(?:token|key)=)?["']?([\w.~+/-]{8,192}={0,2})/diy,
    stop: /[^=\w.~+/-]/g,
    check: (secret, { text, end }) =>
      text[end] !== '(' && (isBasicPair(secret) || (!isPlaceholder(secret) && isRandom(secret, 16))),
  }),
  defineRule({
    id: 'authorization',
    description: 'A bearer token without its header',
    keywords: ['bearer '],
    anyCase: true,
    pattern: /bearer ([\w.~+/-]{16,192}={0,2})/diy,
    stop: /[^=\w.~+/-]/g,
    check: (secret, { text, end }) => text[end] !== '(' && !isPlaceholder(secret) && isRandom(secret, 20),
  }),
  defineRule({
    id: 'authorization',
    description: 'Basic credentials without their header',
    keywords: ['basic '],
    anyCase: true,
    pattern: /basic ([A-Za-z0-9+/]{12,192}={0,2})/diy,
    check: isBasicPair,
  }),
  defineRule({
    id: 'cookie',
    description: 'Random values in a Cookie or Set-Cookie header',
    keywords: ['cookie'],
    anyCase: true,
    inside: true,
    pattern: /cookie["']?[ ]{0,2}[:=,][ ]{0,2}["']?([^\n"'\\]{8,16384})/diy,
    each: /(?<==)[^;,\s"']{16,8192}/dg,
    check: (secret) => !isReference(secret) && !isPlaceholder(secret) && isRandom(secret, 16),
  }),
  defineRule({
    id: 'cookie',
    description: 'A session id behind its usual name',
    keywords: ['session', 'sessid', 'connect.sid', 'sid='],
    anyCase: true,
    inside: true,
    pattern: /(?:session(?:[_-]?id)?|sessid|connect\.sid|sid)=([^;,&\s"'\\]{16,192})/diy,
    stop: /[;,&\s"'\\]/g,
    // The id of a Twilio account is not a session.
    check: (secret) =>
      !isReference(secret) && !isPlaceholder(secret) && isRandom(secret, 16) && !/^AC[0-9a-f]{32}$/.test(secret),
  }),
  defineRule({
    id: 'sentry-dsn',
    description: 'Key of a Sentry DSN',
    keywords: ['://'],
    inside: true,
    pattern: /:\/\/([0-9a-f]{32}(?::[0-9a-f]{32})?)@[\w.-]{3,128}(?::\d{1,5})?\/(?:[\w-]{1,64}\/)?\d{1,20}(?!\w)/dy,
    check: isLively,
  }),
  defineRule({
    id: 'url-password',
    description: 'Password of an address: scheme://user:password@host',
    keywords: ['://'],
    inside: true,
    pattern: /:\/\/[^\s:@/"'<>`\\[]{0,128}:([^\s@/"'<>`\\]{3,256})@[\w.[{$-]/dy,
    check: checkPair,
  }),
  defineRule({
    id: 'url-password',
    description: 'Password of an address with signs in it that should have been encoded',
    keywords: ['://'],
    inside: true,
    pattern: /:\/\/[^\s:@/"'<>`\\[]{0,64}:(?!\/\/)([^\s"'<>`\\]{6,64})@[\w.-]{1,128}(?::\d{1,5})?(?:[/?#\s"'<>]|$)/dy,
    // `://host:8080/a@b` is a port and a path.
    check: (secret, place) =>
      /[/@]/.test(secret) && !/^\d{2,5}[/?#]/.test(secret) && checkPair(secret, place) && isPassword(secret),
  }),
  defineRule({
    id: 'url-password',
    description: 'Token in the place of an address’s user: scheme://token@host',
    keywords: ['://'],
    inside: true,
    pattern: /:\/\/([\w.-]{20,256})(?::x-oauth-basic)?@[\w.-]/dy,
    check: (secret) => isRandom(secret, 20),
  }),
  defineRule({
    id: 'netrc-password',
    description: 'Password of a line in .netrc',
    keywords: ['login '],
    pattern: /login[ \t]+\S{1,128}\s{1,16}password[ \t]+(\S{3,256})/dy,
    check: (secret) => isPasswordOf(secret.replace(/^["']|["']$/g, ''), ''),
  }),
  defineRule({
    id: 'command-password',
    description: 'Password in a command: -u user:password',
    keywords: [' -u', ' --user', ' --proxy-user'],
    inside: true,
    pattern: /\s(?:-u|--(?:proxy-)?user)(?:[ \t]{1,4}|=)?["']?[\w.@+-]{0,64}:["']?([^\s"':]{4,128})(?![\w:])/dy,
    check: (secret, place) => checkPair(secret, place) && (isPassword(secret) || isRandom(secret, 12)),
  }),
  defineRule({
    id: 'command-password',
    description: 'Password in a command: mysql -p…, sshpass -p …, redis-cli -a …',
    keywords: ['mysql', 'mariadb', 'sshpass', 'redis-cli'],
    pattern:
      /(?:(?:mysql|mariadb)[\w-]{0,12}(?: [^\s|;&]{1,128}){0,8}? -p|sshpass -p ?|redis-cli(?: [^\s|;&]{1,128}){0,8}? -a )["']?([^\s"']{4,128})/dy,
    check: (secret) => isPasswordOf(secret, '') && isPassword(secret),
  }),
];
