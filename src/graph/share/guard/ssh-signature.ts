// Signatures as `ssh-keygen -Y sign` makes them (SSHSIG). They are checked here, because a process for each file would be slow and
// not every machine has OpenSSH. A valid signature only says which key signed; the list of signers says whether that key counts.
import type { KeyObject } from 'node:crypto';
import { loadCrypto } from '../../../core/crypto.ts';

/** Keeps signatures for other purposes, such as commits, from being used here. */
export const signatureNamespace = 'lorekeeper';

const magic = Buffer.from('SSHSIG');
const hashes = ['sha256', 'sha512'];
const fewestRsaBits = 2048;
const userPresent = 1;

/** The public key that signed the message, in base64; undefined if the signature is not valid. */
export function findSigningKey(message: string, signature: Buffer): string | undefined {
  try {
    return check(Buffer.from(message), signature);
  } catch {
    // Foreign bytes: too short, not a point of the curve, and so on.
    return undefined;
  }
}

/** As OpenSSH prints it. */
export function fingerprint(key: string): string {
  const digest = loadCrypto().hash('sha256', Buffer.from(key, 'base64'), 'base64');
  return `SHA256:${digest.replace(/=+$/, '')}`;
}

/** The type that a public key says it has; empty if it is not a key. */
export function typeOfKey(key: string): string {
  try {
    return new WireReader(Buffer.from(key, 'base64')).text();
  } catch {
    return '';
  }
}

function check(message: Buffer, signature: Buffer): string | undefined {
  const reader = new WireReader(signature);
  if (!reader.take(magic.length).equals(magic) || reader.number() !== 1) return undefined;
  const key = reader.part();
  const namespace = reader.text();
  const reserved = reader.part();
  const hash = reader.text();
  const signed = new WireReader(reader.part());
  if (!reader.isEnd || namespace !== signatureNamespace || !hashes.includes(hash)) return undefined;
  const digest = loadCrypto().createHash(hash).update(message).digest();
  const content = [Buffer.from(namespace), reserved, Buffer.from(hash), digest].map(writePart);
  return isValid(new WireReader(key), signed, Buffer.concat([magic, ...content])) ? key.toString('base64') : undefined;
}

function isValid(key: WireReader, signed: WireReader, content: Buffer): boolean {
  const [type, algorithm, bytes] = [key.text(), signed.text(), signed.part()];
  // Keys in hardware sign more than the content: which application asked, and that somebody touched them.
  const plain = type.replace(/^sk-(.*)@openssh\.com$/, '$1');
  const isHardware = plain !== type;
  const verify = verifiers[plain];
  if (!verify || (plain === 'ssh-rsa' ? !rsaHashes.has(algorithm) : algorithm !== type)) return false;
  const verifyContent = verify(key, bytes, algorithm);
  if (!isHardware) return key.isEnd && signed.isEnd && verifyContent(content);
  const { hash } = loadCrypto();
  const application = key.part();
  const [flags, counter] = [signed.take(1), signed.take(4)];
  if (!key.isEnd || !signed.isEnd || ((flags[0] as number) & userPresent) === 0) return false;
  const touched = [hash('sha256', application, 'buffer'), flags, counter, hash('sha256', content, 'buffer')];
  return verifyContent(Buffer.concat(touched));
}

type Verifier = (key: WireReader, signature: Buffer, algorithm: string) => (content: Buffer) => boolean;

const rsaHashes = new Map([
  ['rsa-sha2-256', 'sha256'],
  ['rsa-sha2-512', 'sha512'],
]);

const verifiers: { readonly [type: string]: Verifier } = {
  'ssh-ed25519': (key, signature) => {
    const x = key.part().toString('base64url');
    return (content) => loadCrypto().verify(null, content, openKey({ kty: 'OKP', crv: 'Ed25519', x }), signature);
  },
  'ecdsa-sha2-nistp256': verifyEcdsa('nistp256', { crv: 'P-256', hash: 'sha256', size: 32 }),
  'ecdsa-sha2-nistp384': verifyEcdsa('nistp384', { crv: 'P-384', hash: 'sha384', size: 48 }),
  'ecdsa-sha2-nistp521': verifyEcdsa('nistp521', { crv: 'P-521', hash: 'sha512', size: 66 }),
  'ssh-rsa': (key, signature, algorithm) => {
    const [e, n] = [key.positive(), key.positive()];
    if (n.length * 8 < fewestRsaBits) throw new RangeError('The key is too short');
    const whole = padStart(signature, n.length);
    const opened = openKey({ kty: 'RSA', n: n.toString('base64url'), e: e.toString('base64url') });
    return (content) => loadCrypto().verify(rsaHashes.get(algorithm), content, opened, whole);
  },
};

function verifyEcdsa(curve: string, { crv, hash, size }: { crv: string; hash: string; size: number }): Verifier {
  return (key, signature) => {
    const [named, point] = [key.text(), key.part()];
    if (named !== curve || point.length !== 1 + 2 * size || point[0] !== 4) throw new RangeError('Not a point');
    const [x, y] = [point.subarray(1, 1 + size), point.subarray(1 + size)].map((part) => part.toString('base64url'));
    const numbers = new WireReader(signature);
    const whole = Buffer.concat([padStart(numbers.positive(), size), padStart(numbers.positive(), size)]);
    if (!numbers.isEnd) throw new RangeError('More than a signature');
    const opened = { key: openKey({ kty: 'EC', crv, x, y }), dsaEncoding: 'ieee-p1363' as const };
    return (content) => loadCrypto().verify(hash, content, opened, whole);
  };
}

function openKey(key: { kty: string; [name: string]: string | undefined }): KeyObject {
  return loadCrypto().createPublicKey({ key, format: 'jwk' });
}

function padStart(bytes: Buffer, size: number): Buffer {
  if (bytes.length > size) throw new RangeError('The number is too large');
  return Buffer.concat([Buffer.alloc(size - bytes.length), bytes]);
}

function writePart(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Data types of the SSH protocol (RFC 4251). */
class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(length: number): Buffer {
    if (length > this.#bytes.length - this.#at) throw new RangeError('The data ends too early');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  number(): number {
    return this.take(4).readUInt32BE();
  }

  part(): Buffer {
    return this.take(this.number());
  }

  text(): string {
    return this.part().toString('latin1');
  }

  /** A number without its leading zeros. */
  positive(): Buffer {
    const bytes = this.part();
    const start = bytes.findIndex((byte) => byte !== 0);
    if (start === -1 || (bytes[0] as number) >= 0x80) throw new RangeError('The number is not positive');
    return bytes.subarray(start);
  }
}
