// Pseudonyms: equal for equal values, derived with the installation's key, so that nobody without the key can guess and check
// values.
import { loadCrypto } from '../../../core/crypto.ts';

const pseudonymKinds = ['user', 'host', 'ip', 'mac', 'mail'] as const;
export type PseudonymKind = (typeof pseudonymKinds)[number];

export const pseudonymPattern = new RegExp(`\\b(?:${pseudonymKinds.join('|')})-[0-9a-f]{8}\\b`, 'g');
const isPseudonym = new RegExp(`^(?:${pseudonymKinds.join('|')})-[0-9a-f]{8}$`);

export interface Pseudonyms {
  /** The pseudonym of a pseudonym is itself. */
  name(kind: PseudonymKind, value: string): string;
  /** Only for recent ones. */
  valueOf(pseudonym: string): string | undefined;
}

const maxKept = 50_000;

export function createPseudonyms(key: Buffer): Pseudonyms {
  const names = new Map<string, string>();
  const values = new Map<string, string>();
  return {
    name(kind, written) {
      if (isPseudonym.test(written)) return written;
      const value = kind === 'user' ? written : written.toLowerCase();
      const under = `${kind}\0${value}`;
      const known = names.get(under);
      if (known !== undefined) return known;
      const digest = loadCrypto().createHmac('sha256', key).update(under).digest('hex');
      const made = `${kind}-${digest.slice(0, 8)}`;
      if (names.size >= maxKept) {
        names.clear();
        values.clear();
      }
      names.set(under, made);
      values.set(made, value);
      return made;
    },
    valueOf: (pseudonym) => values.get(pseudonym),
  };
}
