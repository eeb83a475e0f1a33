// The people whose shared memories count: `.lore/allowed_signers` in the default branch, in the format that git and ssh-keygen use
// for the same purpose. A line that is not understood counts for nobody, and is reported.
import { fingerprint, signatureNamespace, typeOfKey } from './ssh-signature.ts';

export const signersFile = '.lore/allowed_signers';

export interface SignerList {
  /** The name of the person whose key it is, by its fingerprint, if it counted at that time (in ms). */
  find(key: string, at: number): string | undefined;
  /** Whether it counts at any time. */
  has(key: string): boolean;
  /** Lines that are not understood. */
  problems: { path: string; problem: string }[];
}

interface Signer {
  name: string;
  /** Its fingerprint. */
  key: string;
  from: number;
  until: number;
}

const words = /(?:[^\s"]|"[^"]*")+/g;
const parts = /(?:[^,"]|"[^"]*")+/g;
const keyTypes = /^(?:sk-)?(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521))(?:@openssh\.com)?$/;

export function readSigners(text: string): SignerList {
  const signers: Signer[] = [];
  const problems: SignerList['problems'] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const read = readLine(line);
    if (typeof read === 'string') problems.push({ path: `${signersFile}, line ${index + 1}`, problem: read });
    else if (read) signers.push(read);
  }
  const counts = (signer: Signer, key: string, at: number) =>
    signer.key === key && signer.from <= at && at < signer.until;
  return {
    problems,
    find: (key, at) => signers.find((signer) => counts(signer, key, at))?.name,
    has: (key) => signers.some((signer) => signer.key === key),
  };
}

/** Undefined if the key is for other purposes; a text says why it cannot be used. */
function readLine(line: string): Signer | string | undefined {
  const [people = '', ...rest] = line.match(words) ?? [];
  const options = keyTypes.test(rest[0] ?? '') ? '' : (rest.shift() ?? '');
  const [type = '', given = ''] = rest;
  if (!keyTypes.test(type) || typeOfKey(given) !== type) return 'it is not a name with an SSH public key';
  const key = fingerprint(given);
  const [name = ''] = unquote(people).split(',');
  const signer: Signer = { name: /[*?!]/.test(name) ? key : name, key, from: 0, until: Infinity };
  for (const option of options.match(parts) ?? []) {
    const [, word = '', value = ''] = /^([\w-]+)(?:=(.*))?$/s.exec(option) ?? [];
    const time = readTime(unquote(value));
    if (word === 'namespaces') {
      const allowed = unquote(value).split(',');
      if (!allowed.includes(signatureNamespace) && !allowed.includes('*')) return undefined;
    } else if (word === 'valid-after' && time !== undefined) signer.from = time;
    else if (word === 'valid-before' && time !== undefined) signer.until = time;
    else return `the option "${option}" is not supported`;
  }
  return signer;
}

function unquote(text: string): string {
  return text.replace(/^"(.*)"$/s, '$1');
}

/** Always UTC, so that it means the same moment on every machine. */
function readTime(text: string): number | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00'] =
    /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?Z?$/.exec(text) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}
