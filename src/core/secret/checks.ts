// Checks the content of a candidate: checksums, encoded JSON, encoded user:password pairs.
import { isLively } from './rule.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** GitHub and npm end a token with the CRC-32 of its thirty random characters in base 62, which proves that it is real. */
function hasChecksum(token: string): boolean {
  const random = token.slice(-36, -6);
  let rest = crc32(random);
  let expected = '';
  for (let i = 0; i < 6; i++) {
    expected = base62[rest % 62] + expected;
    rest = Math.floor(rest / 62);
  }
  return token.endsWith(expected);
}

/** Bit by bit: a table is not worth it for thirty characters, and the oldest supported Node lacks zlib's crc32. */
function crc32(text: string): number {
  let crc = ~0;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}

/** A wrong checksum does not clear a candidate: it may be mistyped. */
export function isChecksummedToken(token: string): boolean {
  return hasChecksum(token) || isLively(token);
}

/** The header must be JSON. Checked before parsing, because exceptions for many lookalikes would take long. */
export function isJwt(token: string): boolean {
  if (token.endsWith('..')) return false;
  const header = Buffer.from(token.slice(0, token.indexOf('.')), 'base64url')
    .toString('utf8')
    .trim();
  if (!header.startsWith('{') || !header.endsWith('}') || !/"(?:alg|enc|typ)"\s*:/.test(header)) return false;
  try {
    return typeof JSON.parse(header) === 'object';
  } catch {
    return false;
  }
}

/** `user:password` in base64, as Basic authentication sends it. */
export function isBasicPair(encoded: string): boolean {
  if (encoded.includes('...')) return false;
  const pair = Buffer.from(encoded, 'base64').toString('latin1');
  return (
    /^[\x20-\x7e]{0,200}:[\x20-\x7e]{1,200}$/.test(pair) && !/^(?:user(?:name)?|foo):(?:pass(?:word)?|bar)$/.test(pair)
  );
}
