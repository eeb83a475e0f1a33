// Finds bodies of private keys: PEM, OpenSSH, PGP, PuTTY. Parsed by hand instead of by one pattern, because a body has no
// length limit, and its lines may be quoted, numbered or escaped. First and last lines are kept.
import { defineRule, entropyOf, type Range } from './rule.ts';

const lineEnds = /(?:\s|\\{1,4}[nr]){0,8}/y;
/** `Proc-Type: 4,ENCRYPTED`, `Version: GnuPG v2`. */
const headers = /(?:[A-Z][A-Za-z-]{2,20}: [^\n\\]{0,200}(?:\s|\\{1,4}[nr]){1,8}){0,6}/y;
/** A line of the body, with the prefix of a quotation, a comment or a listing. */
const bodyLine =
  /(?:[ \t]{0,8}(?:[>#*|+-]{1,3}|\/\/|\d{1,6}[:|.]?))?[ \t]{0,12}["']?([A-Za-z0-9+/]{20,128}={0,2})["',;]{0,3}[ \t]{0,4}(?:\r?\n|\\{1,4}[nr]|$){0,2}/y;
/** Forms of a short last line of a body. */
const lastLine = /(?:[ \t]{0,8}(?:[>#*|+-]{1,3}|\/\/|\d{1,6}[:|.]?))?[ \t]{0,12}([A-Za-z0-9+/]{1,19}={1,2})/y;

const longestBody = 200_000;
/** Characters of a body that are checked. */
const sample = 4_096;

function skip(text: string, from: number, part: RegExp): number {
  part.lastIndex = from;
  return part.test(text) ? part.lastIndex : from;
}

/** Up to the next dashes, which also begin another key: no character is read twice. */
function findBody(text: string, from: number): Range[] {
  const start = skip(text, skip(text, from, lineEnds), headers);
  const close = text.indexOf('-----', start);
  if (close > start && close - start <= longestBody && text.startsWith('-----END', close)) return [[start, close]];
  return findLines(text, start);
}

/** Line by line, if there is no end mark. */
function findLines(text: string, from: number): Range[] {
  const start = skip(text, from, lineEnds);
  let end = start;
  let at = start;
  for (;;) {
    bodyLine.lastIndex = at;
    const line = bodyLine.exec(text) ?? undefined;
    if (line === undefined || at - start > longestBody) break;
    end = at + line[0].length - (line[0].length - line[0].indexOf(line[1] as string) - (line[1] as string).length);
    at = bodyLine.lastIndex;
  }
  lastLine.lastIndex = at;
  const last = end > start && lastLine.test(text) ? lastLine.lastIndex : end;
  return end > start ? [[start, last]] : [];
}

function isKeyBody(body: string): boolean {
  const core = body.slice(0, sample).replace(/\\[nrt]|[^A-Za-z0-9+/=]/g, '');
  return core.length >= 40 && entropyOf(core) >= 4;
}

export const listPrivateKeyRules = () => [
  defineRule({
    id: 'private-key',
    description: 'Body of a private key, whole or cut off: PEM, OpenSSH, PGP',
    keywords: ['-----BEGIN '],
    inside: true,
    pattern: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/dy,
    find: findBody,
    check: isKeyBody,
  }),
  defineRule({
    id: 'private-key',
    description: 'Body of a private key of PuTTY',
    keywords: ['Private-Lines: '],
    inside: true,
    pattern: /Private-Lines: \d{1,4}/dy,
    find: findLines,
    check: isKeyBody,
  }),
];
