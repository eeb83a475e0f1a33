// The users and names of this machine, which are replaced wherever they occur as a word. Standard accounts identify nobody.
import { readFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';

export interface KnownNames {
  users: readonly string[];
  hosts: readonly string[];
}

const everywhere = new Set(['root', 'nobody', 'localhost', 'system', 'administrator', 'guest', 'user', 'host', 'mail']);
const [firstPerson, lastPerson] = [1_000, 60_000];

export async function findKnownNames(passwords = '/etc/passwd'): Promise<KnownNames> {
  const accounts = await readFile(passwords, 'utf8').catch(() => '');
  const people = accounts.split('\n').flatMap((line) => {
    const [name = '', , id] = line.split(':');
    return Number(id) >= firstPerson && Number(id) <= lastPerson ? [name] : [];
  });
  const full = hostname();
  return {
    users: [...new Set([...people, ownName()])].filter(isTelling),
    hosts: [...new Set([full, full.split('.')[0] ?? ''])].filter(isTelling),
  };
}

function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    // An id without an account, as in some containers.
    return '';
  }
}

function isTelling(name: string): boolean {
  return name.length > 1 && !everywhere.has(name.toLowerCase());
}
