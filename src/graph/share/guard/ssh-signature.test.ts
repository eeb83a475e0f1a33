// Signatures of the real ssh-keygen, of every type of key; each byte of one is changed in turn.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../../../test/support/folder.ts';
import { openSigningKey } from './ssh-key.ts';
import { findSigningKey, fingerprint } from './ssh-signature.ts';

const hasKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;
const message = 'The walrus sleeps.\n';

function createKey(...options: string[]): string {
  const file = join(createFolder('keys'), 'id');
  execFileSync('ssh-keygen', ['-q', '-N', '', '-C', 'test', '-f', file, ...options]);
  return file;
}

describe.skipIf(!hasKeygen)('a signature by ssh-keygen (skipped where there is none)', () => {
  const types = [
    ['ed25519'],
    ['ecdsa', '-b', '256'],
    ['ecdsa', '-b', '384'],
    ['ecdsa', '-b', '521'],
    ['rsa', '-b', '2048'],
  ];

  it.each(types)('names its key: %s %s %s', async (...type) => {
    const file = createKey('-t', ...type);
    const { key, sign } = openSigningKey(file);
    const signature = Buffer.from(await sign(message), 'base64');
    expect(findSigningKey(message, signature)).toBe(key);
    expect(findSigningKey(`${message} `, signature)).toBeUndefined();
    const printed = execFileSync('ssh-keygen', ['-l', '-f', `${file}.pub`]).toString();
    expect(printed.split(' ')[1]).toBe(fingerprint(key));
  });

  it('is not valid if any byte of it is another, missing or added', async () => {
    const { key, sign } = openSigningKey(createKey('-t', 'ed25519'));
    const signature = Buffer.from(await sign(message), 'base64');
    for (const at of signature.keys()) {
      const changed = Buffer.from(signature);
      changed[at] = (changed[at] as number) ^ 1;
      expect(findSigningKey(message, changed), `byte ${at}`).not.toBe(key);
      expect(findSigningKey(message, signature.subarray(0, at))).toBeUndefined();
    }
    expect(findSigningKey(message, Buffer.concat([signature, Buffer.from([0])]))).toBeUndefined();
  });

  it('is refused for another purpose, and with a short RSA key', async () => {
    const file = createKey('-t', 'ed25519');
    const options = { input: message, stdio: ['pipe', 'pipe', 'ignore'] as ['pipe', 'pipe', 'ignore'] };
    const armored = execFileSync('ssh-keygen', ['-Y', 'sign', '-n', 'git', '-f', file], options).toString();
    const signature = Buffer.from(armored.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64');
    expect(findSigningKey(message, signature)).toBeUndefined();
    const short = openSigningKey(createKey('-t', 'rsa', '-b', '1024'));
    expect(findSigningKey(message, Buffer.from(await short.sign(message), 'base64'))).toBeUndefined();
  });

  it('cannot be made with a key that needs a passphrase and is in no agent', async () => {
    const file = join(createFolder('keys'), 'id');
    execFileSync('ssh-keygen', ['-q', '-N', 'secret', '-t', 'ed25519', '-f', file]);
    await expect(openSigningKey(file).sign(message)).rejects.toMatchObject({
      word: 'unavailable',
      hint: expect.stringContaining('ssh-add'),
    });
    expect(readFileSync(`${file}.pub`, 'utf8')).toContain(openSigningKey(`${file}.pub`).key);
  });
});

describe('a signature by a key in hardware', () => {
  const part = (bytes: Buffer | string) => {
    const content = Buffer.from(bytes as string);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(content.length);
    return Buffer.concat([length, content]);
  };
  const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
  const type = 'sk-ssh-ed25519@openssh.com';

  /** As the device and ssh-keygen make it together (PROTOCOL.u2f, PROTOCOL.sshsig). */
  function make(keys: { publicKey: KeyObject; privateKey: KeyObject }, flags: number) {
    const x = Buffer.from(keys.publicKey.export({ format: 'jwk' }).x as string, 'base64url');
    const key = Buffer.concat([part(type), part(x), part('ssh:')]);
    const [namespace, hash] = [part('lorekeeper'), part('sha512')];
    const digest = createHash('sha512').update(message).digest();
    const content = Buffer.concat([Buffer.from('SSHSIG'), namespace, part(''), hash, part(digest)]);
    const counter = Buffer.from([flags, 0, 0, 0, 9]);
    const bytes = sign(null, Buffer.concat([sha256('ssh:'), counter, sha256(content)]), keys.privateKey);
    const signed = Buffer.concat([part(type), part(bytes), counter]);
    const version = Buffer.from([0, 0, 0, 1]);
    const all = [Buffer.from('SSHSIG'), version, part(key), namespace, part(''), hash, part(signed)];
    return { key: key.toString('base64'), signature: Buffer.concat(all) };
  }

  it('is valid only if somebody touched it', () => {
    const keys = generateKeyPairSync('ed25519');
    const touched = make(keys, 1);
    expect(findSigningKey(message, touched.signature)).toBe(touched.key);
    expect(findSigningKey(message, make(keys, 0).signature)).toBeUndefined();
  });
});
