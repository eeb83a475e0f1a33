// The user's own project: memories about the user apply in every folder. It is identified by the login name, so that the
// members of a team who share a database have one each.
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
    // The account may have no entry, as in some containers.
    return process.env.USER ?? process.env.USERNAME ?? '';
  }
}
