// Ids of changes: they sort by recorded time, then by order within their process, and contain the id of that process.
import { loadCrypto } from '../core/crypto.ts';

let ownTag: string | undefined;
let count = 0;

/** `at` is the recorded time, from the server's clock on a server. */
export function createChangeId(at: number): string {
  return `${nameChange(at)}${tagOfProcess()}${(count++).toString(16).padStart(8, '0')}`;
}

/** Sorts before every change of that time. */
export function nameChange(at: number): string {
  return `chg_${at.toString(36)}`;
}

/** Whether this process made it. */
export function isOwnChange(id: string): boolean {
  return id.slice(-16, -8) === tagOfProcess();
}

function tagOfProcess(): string {
  ownTag ??= loadCrypto().randomBytes(4).toString('hex');
  return ownTag;
}
