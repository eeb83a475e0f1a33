// The identity of this machine, which separates the folders of machines that share a database.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { hashHex } from './crypto.ts';
import { isShared } from './location.ts';

/** Empty where only one machine can use the database. */
export function nameMachine(location: string): string {
  return isShared(location) ? hashMachine() : '';
}

/** The same for every process of this machine, and different on every other one. */
export function hashMachine(): string {
  let id = '';
  try {
    id = readFileSync('/etc/machine-id', 'utf8').trim();
  } catch {
    // Only Linux has one.
  }
  return hashHex(id || hostname()).slice(0, 16);
}
