// The labelled texts of bench/quality/redaction, for tests: synthetic secrets of every vendor's form, drawn from seeded
// chance when they are asked for, so that no file holds a whole one. And looking for them in bytes, however written.

export interface SecretCase {
  origin: string;
  text: string;
  labels: { start: number; end: number; rule: string }[];
}

interface Cases {
  readCases(part: 'tune' | 'held'): SecretCase[];
}

export async function readSecretCases(): Promise<SecretCase[]> {
  const { readCases } = (await import(
    new URL('../../bench/quality/redaction/cases.mjs', import.meta.url).href
  )) as Cases;
  return [...readCases('tune'), ...readCases('held')].filter(({ labels }) => labels.length > 0);
}

export function secretsOf({ text, labels }: SecretCase): string[] {
  return labels.map(({ start, end }) => text.slice(start, end));
}

/** Pieces that an index or an escape leaves of a secret; shorter ones may stand anywhere by chance. */
const longEnough = 12;

function piecesOf(secret: string): string[] {
  const runs = secret.split(/[^A-Za-z0-9]|\\n/).filter((run) => run.length >= longEnough);
  return [...new Set([secret, ...runs].map((piece) => piece.toLowerCase()))];
}

/** Which of these secrets stand in the bytes, whole or in telling pieces: in UTF-8 and UTF-16, in either case. */
export function findLeaks(bytes: Buffer, secrets: readonly string[]): string[] {
  const narrow = bytes.toString('latin1').toLowerCase();
  // Without their zeros, both orders of UTF-16 read the same.
  const wide = narrow.includes('\0') ? narrow.replaceAll('\0', '') : '';
  return secrets.filter((secret) => piecesOf(secret).some((piece) => narrow.includes(piece) || wide.includes(piece)));
}
