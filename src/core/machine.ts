// The identity of this machine, which separates the folders of machines that share a database.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { hashHex } from './crypto.ts';
import { isShared } from './location.ts';

/** Empty where only one machine can use the database. */
export function nameMachine(location: string): string {
  if (!isShared(location)) return '';
  let id = '';
  try {
    id = readFileSync('/etc/machine-id', 'utf8').trim();
  } catch {
    // Only Linux has one.
  }
  return hashHex(id || hostname()).slice(0, 16);
}
