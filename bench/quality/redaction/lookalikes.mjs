// Harmless things that look like secrets, by name: hashes, ids, encoded images, public keys, placeholders in a vendor's
// form. In the case files a name after a tilde stands for one of these.
import { createChance } from './chance.mjs';

const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const digit = '0123456789';
const hex = '0123456789abcdef';
const base62 = digit + upper + lower;
const base64 = `${base62}+/`;

/** @typedef {ReturnType<typeof createChance>} Chance */

/** @type {Record<string, (c: Chance) => string>} */
export const lookalikes = {
  hex7: (c) => c.text(hex, 7),
  hex16: (c) => c.text(hex, 16),
  hex32: (c) => c.text(hex, 32),
  hex40: (c) => c.text(hex, 40),
  hex64: (c) => c.text(hex, 64),
  hex128: (c) => c.text(hex, 128),
  uuid: (c) => c.uuid(),
  ulid: (c) => `01${c.text('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24)}`,
  nano: (c) => c.text(`${base62}_-`, 21),
  digits: (c) => c.text(digit, 18),
  sha256b64: (c) => `${c.text(base64, 43)}=`,
  sha512b64: (c) => `${c.text(base64, 86)}==`,
  png: (c) => `iVBORw0KGgoAAAANSUhEUg${c.text(base64, 320)}`,
  jpeg: (c) => `/9j/4AAQSkZJRgABAQ${c.text(base64, 280)}`,
  font: (c) => `d09GMgABAAAAA${c.text(base64, 300)}`,
  vlq: (c) => Array.from({ length: 40 }, () => c.text('ACEGIKMOQSUWYacegikmoqsuwy', 4)).join(','),
  sshRsa: (c) => `AAAAB3NzaC1yc2EAAAADAQABAAABgQ${c.text(base64, 340)}`,
  sshEd: (c) => `AAAAC3NzaC1lZDI1NTE5AAAAI${c.text(base64, 43)}`,
  pemBody: (c) => Array.from({ length: 5 }, () => c.text(base64, 64)).join('\n'),
  certBase64: (c) =>
    Buffer.from(
      `-----BEGIN CERTIFICATE-----\n${Array.from({ length: 6 }, () => c.text(base64, 64)).join('\n')}\n-----END CERTIFICATE-----\n`,
    ).toString('base64'),
  agePublic: (c) => `age1${c.text('qpzry9x8gf2tvdw0s3jn54khce6mua7l', 58)}`,
  fingerprint: (c) => Array.from({ length: 16 }, () => c.text(hex, 2)).join(':'),
  stripePublic: (c) => `pk_live_51${c.text(base62, 97)}`,
  supabasePublic: (c) => `sb_publishable_${c.text(base62, 22)}_${c.text(base62, 8)}`,
  twilioSid: (c) => `AC${c.text(hex, 32)}`,
  exes: (c) => 'x'.repeat(20 + c.below(20)),
  stars: (c) => '*'.repeat(8 + c.below(20)),
  mangled: (c) => `${c.text(lower, 6)}__${c.text(base62, 8)}`,
  eth: (c) => `0x${c.text(hex, 40)}`,
  s3etag: (c) => `"${c.text(hex, 32)}-12"`,
  goSum: (c) => `h1:${c.text(base64, 43)}=`,
  ipfs: (c) => `Qm${c.text(base62.replace(/[0OIl]/g, ''), 44)}`,
};
