// Validates addresses for git. Git accepts more than is safe from an untrusted caller: helpers that run commands,
// options in place of a host, passwords that end up in files. Only plain addresses of known kinds are accepted.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { hashHex } from '../../core/crypto.ts';
import { LoreError } from '../../core/error.ts';
import { findSecrets } from '../../core/secret/redact.ts';
import { expandAddress, refusePage } from './forge.ts';

export interface GitAddress {
  /** The address for git, without password and token. */
  url: string;
  /** Equal for all spellings of the address. */
  key: string;
  /** Path of a local address, which must be in a granted root. */
  folder?: string;
}

const schemes = new Set(['https', 'http', 'ssh', 'git', 'file']);
const full = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/s;
/** `user@host:path`; without a user it could be a drive or a file. */
const short = /^([\w.+-]+)@([\w.-]+|\[[\da-f:.]+\]):(?!\/\/)(.+)$/is;
/** `user:password@host` is never valid, but not a folder either. A Windows drive is one. */
const login = /^(?![A-Za-z]:[\\/])[^/]*:[^/]*@/s;
/** A helper's address, such as `ext::sh -c …`. */
const helper = /^[A-Za-z][\w+.-]*::/;
const maxLength = 2_000;

/** The address in a text, valid or not; undefined for a folder. An existing folder takes precedence over `owner/name`. */
export function findAddress(text: string, from: string): string | undefined {
  if ([full, short, login, helper, /^-/].some((form) => form.test(text))) return text;
  const expanded = expandAddress(text);
  return expanded !== undefined && !existsSync(resolve(from, text)) ? expanded : undefined;
}

export function readAddress(given: string): GitAddress {
  if (helper.test(given)) throw addressError('forbidden', given, 'addresses that run a program are not allowed');
  if (given.startsWith('-')) throw addressError('forbidden', given, 'it is an option, not an address');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
  if (given.length > maxLength || /[\s\x00-\x1f\x7f\\]/.test(given)) throw invalidAddressError(given);
  const address = readPlain(given);
  // Addresses are written to the clone's settings, to errors and to the list of processes.
  if (findSecrets(given).length > 0) throw loginError(given);
  return address;
}

function readPlain(given: string): GitAddress {
  const [, scheme, rest] = full.exec(given) ?? [];
  if (scheme !== undefined && rest !== undefined) return readFull(given, scheme.toLowerCase(), rest);
  const [, user = '', host = '', path = ''] = short.exec(given) ?? [];
  if (path === '') throw login.test(given) ? loginError(given) : invalidAddressError(given);
  refuseOptions(given, [user, host, path]);
  return { url: given, key: keyOf('ssh', user, host, path) };
}

function readFull(given: string, scheme: string, rest: string): GitAddress {
  if (!schemes.has(scheme)) throw addressError('forbidden', given, `"${scheme}" is not a supported scheme`);
  if (scheme === 'file') {
    if (!rest.startsWith('/')) throw addressError('forbidden', given, 'it is on another machine');
    // Git would decode it, and read another folder than the validated one.
    if (rest.includes('%')) throw addressError('forbidden', given, 'it is percent-encoded');
    return { url: given, key: keyOf(scheme, '', '', rest), folder: rest };
  }
  const [, user, host = '', port = '', path = ''] =
    /^(?:([^/]*)@)?([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?\/(.+)$/is.exec(rest) ?? [];
  if (host === '') throw rest.includes('@') ? loginError(given) : invalidAddressError(given);
  // With ssh it is an account name; elsewhere it may be a token.
  if (user !== undefined && !(scheme === 'ssh' && /^[\w.+-]+$/.test(user))) throw loginError(given);
  refuseOptions(given, [user ?? '', host, path]);
  if (scheme.startsWith('http')) {
    refusePage(host, path);
    if (/[?#]/.test(path))
      throw addressError('invalid_input', given.replace(/[?#].*$/s, ''), 'git addresses have no query or fragment');
  }
  return { url: given, key: keyOf(scheme, user ?? '', `${host}:${port}`, path) };
}

/** Rejects text that ssh or a shell would take for an option, also if escaped. */
function refuseOptions(given: string, parts: readonly string[]): void {
  if (parts.some((part) => /^(?:-|%2d)/i.test(part))) {
    throw addressError('forbidden', given, 'a part of it is an option, not a name');
  }
}

/** Includes the user: content readable by one account is not given to another. */
function keyOf(scheme: string, user: string, host: string, path: string): string {
  // On this machine, `x` and `x.git` are two folders.
  const plain = scheme === 'file' ? path : path.replace(/\/*(?:\.git)?\/*$/, '');
  const words = `${scheme}\n${user}\n${host.toLowerCase()}\n${plain}`;
  return hashHex(words).slice(0, 24);
}

function loginError(given: string): LoreError {
  return new LoreError('invalid_input', `Cannot use address "${hideLogin(given)}": its address contains a login`, {
    hint: 'Remove it: git uses your own credential helper. Test with `git ls-remote` in a terminal.',
    details: { path: 'arguments.repo', expected: 'an address without a login', received: 'an address with a login' },
  });
}

function invalidAddressError(given: string): LoreError {
  return addressError('invalid_input', given, 'it is not the address of a git repository');
}

function addressError(word: 'invalid_input' | 'forbidden', given: string, state: string): LoreError {
  const shown = hideLogin(given);
  return new LoreError(word, `Cannot use address "${shown}": ${state}`, {
    hint: 'Use an address like https://host/owner/name, ssh://git@host/owner/name or git@host:owner/name.',
    details: { path: 'arguments.repo', expected: 'an address of a git repository', received: shown },
  });
}

/** Everything before the last @ may be a password, and so may other parts. */
function hideLogin(given: string): string {
  const text = given.slice(0, maxLength).replace(/^([a-z][\w+.-]*:(?:\/\/|:))?.*@/is, '$1…@');
  const secrets = findSecrets(text);
  const shown = secrets.reduceRight((kept, { start, end }) => `${kept.slice(0, start)}…${kept.slice(end)}`, text);
  return shown.slice(0, 200);
}
