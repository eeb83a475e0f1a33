// The user's own project: memories about the user apply in every folder. It is identified by the login name, or by the name
// that a token has for the person, so that the members of a team who share a database have one each.
import { userInfo } from 'node:os';
import { hashHex } from '../../core/crypto.ts';

const prefix = 'user:';

export function identifyUser(): string {
  return `${prefix}${hashHex(readLogin()).slice(0, 16)}`;
}

/** A person with a token is never the user of a machine, whatever the name. */
export function identifyPerson(person: string): string {
  return `${prefix}${hashHex(JSON.stringify(['person', person])).slice(0, 16)}`;
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
