// Addresses that git clones from. Git itself takes more than is safe from a stranger: helpers that run a command, options
// in the place of a host; so only plain addresses of known kinds get through.
import { hashHex } from '../../../core/crypto.ts';
import { LoreError } from '../../../core/error.ts';

export interface Address {
  /** As git gets it. */
  url: string;
  /** The same for every way to write it. */
  key: string;
  /** Of an address on this machine: only within the allowed roots. */
  folder?: string;
}

const schemes = new Set(['https', 'http', 'ssh', 'git', 'file']);
const full = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/s;
/** `user@host:path`: without a user it could as well be a drive or a file. */
const short = /^([\w.-]+)@([\w.-]+|\[[\da-f:.]+\]):(?!\/\/)(.+)$/is;
/** A helper's, such as `ext::sh -c …`. */
const helper = /^[A-Za-z][\w+.-]*::/;
const maxLength = 2_000;

/** Whether a text is meant as an address, right or wrong, and not as a folder. */
export function isAddress(text: string): boolean {
  return full.test(text) || short.test(text) || helper.test(text) || text.startsWith('-');
}

export function readAddress(given: string): Address {
  if (helper.test(given)) throw refuse('forbidden', given, 'addresses that run a program are not used');
  if (given.startsWith('-')) throw refuse('forbidden', given, 'it is an option and not an address');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
  if (given.length > maxLength || /[\s\x00-\x1f\x7f\\]/.test(given)) throw refuseBad(given);
  const [, scheme, rest] = full.exec(given) ?? [];
  if (scheme !== undefined && rest !== undefined) return readFull(given, scheme.toLowerCase(), rest);
  const [, user = '', host = '', path = ''] = short.exec(given) ?? [];
  if (path === '') throw refuseBad(given);
  refuseOptions(given, [user, host, path]);
  return { url: given, key: keyOf('ssh', host, path) };
}

function readFull(given: string, scheme: string, rest: string): Address {
  if (!schemes.has(scheme)) throw refuse('forbidden', given, `"${scheme}" is not a kind of address that is used`);
  if (scheme === 'file') {
    if (!rest.startsWith('/')) throw refuse('forbidden', given, 'it lies on another machine');
    // Git would decode it, and read another folder than the one that was checked.
    if (rest.includes('%')) throw refuse('forbidden', given, 'it is escaped');
    return { url: given, key: keyOf(scheme, '', rest), folder: rest };
  }
  const [, login, host = '', port = '', path = ''] =
    /^(?:([^/@]*)@)?([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?\/(.+)$/is.exec(rest) ?? [];
  if (host === '') throw refuseBad(given);
  if (login?.includes(':')) {
    throw new LoreError('invalid_input', `Cannot clone "${scheme}://${host}/${path}": its address holds a password`, {
      hint: 'Leave it out: git asks your own credential helper.',
      details: { path: 'arguments.repo', expected: 'an address without a password', received: 'one with a password' },
    });
  }
  refuseOptions(given, [login ?? '', host, path]);
  return { url: given, key: keyOf(scheme, `${host}:${port}`, path) };
}

/** What ssh or a server's shell would take for an option, also when it is escaped. */
function refuseOptions(given: string, parts: readonly string[]): void {
  if (parts.some((part) => /^(?:-|%2d)/i.test(part))) {
    throw refuse('forbidden', given, 'a part of it is an option and not a name');
  }
}

function keyOf(scheme: string, host: string, path: string): string {
  const plain = path.replace(/\/*(?:\.git)?\/*$/, '');
  const words = `${scheme}\n${host.toLowerCase()}\n${plain}`;
  return hashHex(words).slice(0, 24);
}

function refuseBad(given: string): LoreError {
  return refuse('invalid_input', given, 'it is not an address of a git repository');
}

function refuse(word: 'invalid_input' | 'forbidden', given: string, state: string): LoreError {
  const shown = hideLogin(given.slice(0, 200));
  return new LoreError(word, `Cannot clone "${shown}": ${state}`, {
    hint: 'It should be like https://host/owner/name, ssh://git@host/owner/name or git@host:owner/name.',
    details: { path: 'arguments.repo', expected: 'an address of a git repository', received: shown },
  });
}

/** What stands before the @ may be a password. */
function hideLogin(text: string): string {
  return text.replace(/^([a-z][\w+.-]*:\/\/)[^/]*@/i, '$1…@');
}
