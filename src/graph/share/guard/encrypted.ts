// The files for the user's other machines: encrypted with a key that only these machines have, so that neither the host of the
// remote nor anybody who can write there can read or forge them. Plain files count for nothing here.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { hashHex, loadCrypto } from '../../../core/crypto.ts';
import { filterBatch, maxBatchBytes, readBatch, writeBatch } from '../batch.ts';
import type { BatchGuard } from './guard.ts';

export interface GuardKeys {
  /** The newest first. Older ones are for reading only. */
  keys: readonly Buffer[];
  /** Creates the first one. */
  create(): Promise<Buffer>;
}

const title = 'lorekeeper-encrypted-1';
const lengths = { salt: 16, tag: 16 };
const algorithm = 'chacha20-poly1305';
const keyHint = 'On a machine that has it: lore sync key. Here: lore sync key --set';

/** `log` names the log, so that a file cannot be moved to the log of another project. */
export function createPrivateGuard(log: string, { keys: known, create }: GuardKeys): BatchGuard {
  let keys = [...known];
  let isLocked = false;
  const markOf = () => (keys[0] ? nameKey(keys[0]) : '');
  function unseal(path: string, text: string): { text: string; mark: string } | { problem: string } {
    const [, mark, content = ''] = new RegExp(`^${title} ([0-9a-f]{16})\n([\\w+/=]+)\n$`).exec(text) ?? [];
    if (mark === undefined) return { problem: 'it is not encrypted' };
    const key = keys.find((one) => nameKey(one) === mark);
    if (!key) {
      isLocked = true;
      return { problem: `it is encrypted with a key that this machine does not have. ${keyHint}` };
    }
    const plain = decrypt(key, bindOf(log, path), Buffer.from(content, 'base64'));
    return plain === undefined ? { problem: 'it was changed after it was encrypted' } : { text: plain, mark };
  }
  const seal = (path: string, text: string, key: Buffer) =>
    `${title} ${nameKey(key)}\n${encrypt(key, bindOf(log, path), text).toString('base64')}\n`;
  return {
    get id() {
      return keys.map(nameKey).join(' ');
    },
    problems: [],
    mark: markOf,
    isOurs: (mark) => mark !== '',
    isOutdated: (mark) => mark !== markOf(),
    judge: () => '',
    refusal: () =>
      isLocked ? { reason: 'this machine does not have the key of its memories', hint: keyHint } : undefined,
    async seal(batch) {
      if (keys.length === 0) keys = [await create()];
      return seal(folderOf(batch.ops[0].dev), writeBatch(batch), keys[0] as Buffer);
    },
    open(path, text) {
      const opened = unseal(path, text);
      if ('problem' in opened) return { ops: [], mark: '', isLocked, ...opened };
      const { signed: _, ...read } = readBatch(path, 'mine', opened.text);
      return { mark: opened.mark, ...read };
    },
    filter(path, text, isKept) {
      const opened = unseal(path, text);
      if ('problem' in opened) return text;
      const kept = filterBatch(path, opened.text, isKept);
      if (kept === opened.text) return text;
      return kept === undefined ? undefined : seal(path, kept, keys[0] as Buffer);
    },
  };
}

export function nameKey(key: Buffer): string {
  return hashHex(Buffer.concat([Buffer.from('lorekeeper key name\n'), key])).slice(0, 16);
}

function folderOf(device: string): string {
  return `log/${device}/`;
}

/** A file counts only in its log and for its device. */
function bindOf(log: string, path: string): Buffer {
  return Buffer.from(`${log}\n${path.split('/', 2).join('/')}/`);
}

/** Each file has a key of its own, derived with a random salt, so no nonce is ever used twice. */
function derive(key: Buffer, salt: Buffer): Buffer {
  return Buffer.from(loadCrypto().hkdfSync('sha256', key, salt, title, 32));
}

const nonce = Buffer.alloc(12);
const options = { authTagLength: lengths.tag };

function encrypt(key: Buffer, bound: Buffer, text: string): Buffer {
  // Compressed first: git cannot compress it any more.
  const plain = deflateRawSync(text);
  const salt = loadCrypto().randomBytes(lengths.salt);
  const cipher = loadCrypto().createCipheriv(algorithm, derive(key, salt), nonce, options);
  cipher.setAAD(bound, { plaintextLength: plain.length });
  return Buffer.concat([salt, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, bound: Buffer, bytes: Buffer): string | undefined {
  const [salt, content] = [bytes.subarray(0, lengths.salt), bytes.subarray(lengths.salt, -lengths.tag)];
  try {
    const decipher = loadCrypto().createDecipheriv(algorithm, derive(key, salt), nonce, options);
    decipher.setAAD(bound, { plaintextLength: content.length });
    decipher.setAuthTag(bytes.subarray(-lengths.tag));
    const plain = Buffer.concat([decipher.update(content), decipher.final()]);
    return inflateRawSync(plain, { maxOutputLength: maxBatchBytes }).toString('utf8');
  } catch {
    return undefined;
  }
}
