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

const keyType = /(?:sk-)?(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521))(?:@openssh\.com)?/.source;
/** Names, options, type, key. What ssh-keygen would read in another way is not understood. */
const form = new RegExp(
  `^[ \\t]*(?:"([^"]+)"|([^\\s"]+))[ \\t]+(?:((?:[^\\s"]|"[^"]*")+)[ \\t]+)??(${keyType})[ \\t]+([\\w+/]+=*)(?:[ \\t]|$)`,
);
const optionForm = /^(namespaces|valid-after|valid-before)="([^"\\!]*)"$/;

export function readSigners(text: string): SignerList {
  const signers: Signer[] = [];
  const problems: SignerList['problems'] = [];
  const lines = text.replace(/^\ufeff/, '').split('\n');
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const read = readLine(line.replace(/\r$/, ''));
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
  const [, quoted = '', plain = quoted, options = '', type = '', given = ''] = form.exec(line) ?? [];
  const isKey = typeOfKey(given) === type && Buffer.from(given, 'base64').toString('base64') === given;
  if (type === '' || !isKey) return 'it is not a name with an SSH public key';
  const names = plain.split(',');
  if (names.some((name) => name === '' || name.startsWith('!'))) return `the name "${plain}" is not supported`;
  const key = fingerprint(given);
  const signer: Signer = { name: names.find((name) => !/[*?]/.test(name)) ?? key, key, from: 0, until: Infinity };
  const seen = new Set<string>();
  let isForUs = true;
  for (const option of options === '' ? [] : (options.match(/(?:[^,"]|"[^"]*")+|,(?=,|$)/g) ?? [])) {
    const [, word = '', value = ''] = optionForm.exec(option) ?? [];
    const time = readTime(value);
    const allowed = value.split(',');
    const isKnown =
      word === 'namespaces' ? allowed.every((one) => one === '*' || !/[*?]/.test(one)) : time !== undefined;
    if (word === '' || seen.has(word) || !isKnown) return `the option "${option}" is not supported`;
    seen.add(word);
    if (word === 'namespaces') isForUs = allowed.includes(signatureNamespace) || allowed.includes('*');
    else if (word === 'valid-after') signer.from = time as number;
    else signer.until = time as number;
  }
  return isForUs ? signer : undefined;
}

/** Always UTC, so that it means the same moment on every machine. */
function readTime(text: string): number | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00'] =
    /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?Z?$/.exec(text) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}
