// Credentials for other servers: encrypted files that only their owner can read, beside a key of their own. The secret itself is in
// this file, in the keychain of the system, or in an environment variable. It leaves this module only for a request to the
// origin it was entered for.
import { promises as files } from 'node:fs';
import { join } from 'node:path';
import { hashHex, loadCrypto } from './crypto.ts';
import { LoreError } from './error.ts';
import { withFileLock } from './file-lock.ts';
import { createId } from './id.ts';
import { openKeyFile } from './key-file.ts';
import * as keychain from './keychain.ts';
import type { OAuthGrant } from './oauth/grant.ts';
import { isObject } from './schema.ts';

export interface Credential {
  /** What it is for, in the words of its owner: the name of a security scheme. */
  readonly name: string;
  /** The only origin that gets it. */
  readonly origin: string;
  /** Where it is exchanged for a token, if it is not sent itself. */
  readonly tokenUrl?: string;
  /** The secret, or the environment variable that has it. */
  readonly value?: string;
  readonly variable?: string;
  /** The tokens of a login, which are renewed. */
  readonly grant?: OAuthGrant;
  /** The secret is in the keychain of the system; `unlock` reads it. */
  readonly isInKeychain?: boolean;
}

export interface CredentialStore {
  list(owner: string): Promise<Credential[]>;
  /** The secrets of all owners, except those in the keychain: to recognise them where they do not belong. */
  reveal(): Promise<readonly OwnedSecret[]>;
  /** With its secret. */
  unlock(owner: string, credential: Credential): Promise<Credential>;
  put(owner: string, credential: Credential): Promise<void>;
  /** Changes one while no other process does. `change` gets the current one. */
  update(owner: string, name: string, change: (current: Credential) => Promise<Credential>): Promise<Credential>;
  /** All of the owner, or one. */
  remove(owner: string, name?: string): Promise<number>;
}

export interface OwnedSecret {
  readonly owner: string;
  readonly secret: string;
}

const keyName = 'credentials.key';
const ending = '.credential';
const algorithm = 'aes-256-gcm';
const lengths = { nonce: 12, tag: 16 };

export function createCredentialStore(folder: string): CredentialStore {
  const openKey = () => openKeyFile(join(folder, keyName)).catch(fail('open the key of the credentials'));
  const fileOf = (owner: string, name: string) => `${owner}.${hashHex(name).slice(0, 16)}${ending}`;
  async function listFiles(owner: string): Promise<string[]> {
    const names = await files.readdir(folder).catch(() => []);
    return names.filter((name) => name.startsWith(`${owner}.`) && name.endsWith(ending));
  }
  /** Empty if another process has removed it. */
  async function read(name: string): Promise<Credential[]> {
    const sealed = await files.readFile(join(folder, name)).catch(() => undefined);
    return sealed === undefined ? [] : [unseal(sealed, await openKey(), name)];
  }
  /** Without the scheme's own name, which comes from a document. */
  const accountOf = (owner: string, { name }: Pick<Credential, 'name'>) => fileOf(owner, name).slice(0, -ending.length);
  async function unlock(owner: string, credential: Credential): Promise<Credential> {
    if (!credential.isInKeychain) return credential;
    return { ...credential, ...JSON.parse(await keychain.read(accountOf(owner, credential))) };
  }
  async function put(owner: string, credential: Credential): Promise<void> {
    const name = fileOf(owner, credential.name);
    const { value, grant, ...facts } = credential;
    if (credential.isInKeychain) await keychain.store(accountOf(owner, credential), JSON.stringify({ value, grant }));
    const stored = credential.isInKeychain ? facts : credential;
    const sealed = seal(JSON.stringify(stored), await openKey(), name);
    const draft = join(folder, `${name}.${createId('draft')}`);
    try {
      await files.writeFile(draft, sealed, { mode: 0o600, flush: true });
      await files.rename(draft, join(folder, name));
    } catch (error) {
      await files.rm(draft, { force: true });
      throw fail('store the credential')(error);
    }
  }
  return {
    list: async (owner) => (await Promise.all((await listFiles(owner)).map(read))).flat(),
    async reveal() {
      const names = (await files.readdir(folder).catch(() => [])).filter((name) => name.endsWith(ending));
      const owned = names.map(async (file) => {
        const [owner = ''] = file.split('.', 1);
        const [credential] = await read(file).catch(() => []);
        const { value, variable, grant } = credential ?? {};
        const secrets = [value, variable && process.env[variable], grant?.accessToken, grant?.refreshToken];
        return secrets.flatMap((secret) => (secret ? [{ owner, secret }] : []));
      });
      return (await Promise.all(owned)).flat();
    },
    unlock,
    put,
    async update(owner, name, change) {
      const file = fileOf(owner, name);
      return withFileLock(join(folder, `${file}.lock`), undefined, async () => {
        const [current] = await read(file);
        if (!current) throw new LoreError('not_found', `Cannot change the credential "${name}": it was removed`);
        const whole = await unlock(owner, current);
        const changed = await change(whole);
        if (changed !== whole) await put(owner, changed);
        return changed;
      });
    },
    async remove(owner, name) {
      const names = (await listFiles(owner)).filter((file) => name === undefined || file === fileOf(owner, name));
      const entries = (await Promise.all(names.map((file) => read(file).catch(() => [])))).flat();
      for (const entry of entries) if (entry.isInKeychain) await keychain.remove(accountOf(owner, entry));
      await Promise.all(names.map((file) => files.rm(join(folder, file), { force: true })));
      return names.length;
    },
  };
}

/** The secret itself. */
export function revealCredential({ name, value, variable = '' }: Credential): string {
  const secret = value ?? process.env[variable];
  if (secret) return secret;
  throw new LoreError(
    'unavailable',
    `Cannot use the credential "${name}": the environment variable "${variable}" is not set`,
  );
}

/** The file's name is sealed in: a file that was renamed to another owner's cannot be read. */
function seal(text: string, key: Buffer, name: string): Buffer {
  const nonce = loadCrypto().randomBytes(lengths.nonce);
  const cipher = loadCrypto().createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(name));
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), content]);
}

function unseal(sealed: Buffer, key: Buffer, name: string): Credential {
  const { nonce, tag } = lengths;
  try {
    const decipher = loadCrypto().createDecipheriv(algorithm, key, sealed.subarray(0, nonce)).setAAD(Buffer.from(name));
    decipher.setAuthTag(sealed.subarray(nonce, nonce + tag));
    const text = Buffer.concat([decipher.update(sealed.subarray(nonce + tag)), decipher.final()]).toString('utf8');
    const read: unknown = JSON.parse(text);
    if (isObject(read)) return read as unknown as Credential;
  } catch {
    // Reported below.
  }
  throw new LoreError('unavailable', `Cannot read the credential "${name}": the file or its key was replaced`, {
    hint: 'Enter it again.',
  });
}

function fail(action: string): (error: unknown) => never {
  return (error) => {
    const state = String((error as NodeJS.ErrnoException).code ?? (error as Error).message);
    throw new LoreError('unavailable', `Cannot ${action}: ${state}`, { cause: error });
  };
}
