// The values behind pseudonyms, so that a person can reveal them. They are encrypted with a key derived from the
// installation's key, so the file alone reveals nothing.
import { appendFile, readFile } from 'node:fs/promises';
import { loadCrypto } from '../../../core/crypto.ts';
import { LoreError } from '../../../core/error.ts';

const sealing = 'aes-256-gcm';
const [nonceLength, tagLength] = [12, 16];

export interface PseudonymMap {
  /** Resolves when it is on disk. Known values are not stored again. */
  keep(used: ReadonlyMap<string, string>): Promise<void>;
  /** Two values can share a pseudonym; then both are returned. */
  find(pseudonym: string): Promise<string[]>;
}

export function openMap(file: string, key: Buffer): PseudonymMap {
  const sealKey = Buffer.from(loadCrypto().hkdfSync('sha256', key, '', 'pseudonyms.map', 32));
  const kept = new Set<string>();
  return {
    async keep(used) {
      const fresh = [...used].filter(([pseudonym, value]) => !kept.has(`${pseudonym} ${value}`));
      if (fresh.length === 0) return;
      const lines = fresh.map(([pseudonym, value]) => `${pseudonym} ${seal(sealKey, pseudonym, value)}\n`);
      try {
        await appendFile(file, lines.join(''), { mode: 0o600 });
      } catch (error) {
        throw new LoreError('unavailable', `Cannot store pseudonyms in "${file}": it cannot be written`, {
          cause: error,
        });
      }
      for (const [pseudonym, value] of fresh) kept.add(`${pseudonym} ${value}`);
    },
    async find(pseudonym) {
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw new LoreError('unavailable', `Cannot read pseudonyms in "${file}": ${error.code}`, { cause: error });
      });
      const sealed = text.split('\n').filter((line) => line.startsWith(`${pseudonym} `));
      const values = sealed.flatMap((line) => unseal(sealKey, pseudonym, line.slice(pseudonym.length + 1)));
      return [...new Set(values)];
    },
  };
}

function seal(key: Buffer, pseudonym: string, value: string): string {
  const { createCipheriv, randomBytes } = loadCrypto();
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(sealing, key, nonce).setAAD(Buffer.from(pseudonym));
  const body = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
}

/** Nothing for a line that was cut or changed. */
function unseal(key: Buffer, pseudonym: string, sealed: string): string[] {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = loadCrypto().createDecipheriv(sealing, key, bytes.subarray(0, nonceLength));
  try {
    decipher.setAAD(Buffer.from(pseudonym)).setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
    const body = bytes.subarray(nonceLength + tagLength);
    return [Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')];
  } catch {
    return [];
  }
}
