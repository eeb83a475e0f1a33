// The user's own project: what is known about the person holds in every folder. It is told apart by the login name, so that
// the members of a team who share a database have one each.
import { userInfo } from 'node:os';
import { hashHex } from '../../core/crypto.ts';

const prefix = 'user:';

export function identifyUser(): string {
  return `${prefix}${hashHex(readLogin()).slice(0, 16)}`;
}

export function isUser(project: string): boolean {
  return project.startsWith(prefix);
}

function readLogin(): string {
  try {
    return userInfo().username;
  } catch {
    // The system may have no entry for the account, as in some containers.
    return process.env.USER ?? process.env.USERNAME ?? '';
  }
}
