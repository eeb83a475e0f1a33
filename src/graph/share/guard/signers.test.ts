// The list of signers: lines that count, and lines that are reported.
import { describe, expect, it } from 'vitest';
import { readSigners } from './signers.ts';
import { fingerprint } from './ssh-signature.ts';

const key = 'AAAAC3NzaC1lZDI1NTE5AAAAIJE6Zq2mJ0bq0m3QpZl6X1yqk3mT7Q0J3p2d4JtqV8rA';
const print = fingerprint(key);
const ecdsa = 'AAAAE2VjZHNhLXNoYTItbmlzdHAyNTY=';
const day = (text: string) => Date.parse(`${text}T00:00:00Z`);

describe('allowed signers', () => {
  it.each([
    ['a plain line', `ann@example.org ssh-ed25519 ${key}`, 'ann@example.org'],
    ['a comment at its end', `ann@example.org ssh-ed25519 ${key} Ann's laptop`, 'ann@example.org'],
    ['the first of several names', `ann@example.org,a@example.org ssh-ed25519 ${key}`, 'ann@example.org'],
    ['our namespace', `ann@example.org namespaces="git,lorekeeper" ssh-ed25519 ${key}`, 'ann@example.org'],
    ['a line for other purposes', `ann@example.org namespaces="git" ssh-ed25519 ${key}`, undefined],
    ['a comment', `# ann@example.org ssh-ed25519 ${key}`, undefined],
    ['another type than the key has', `ann@example.org ssh-rsa ${key}`, undefined],
    ['ends of lines as on Windows', `\ufeffann ssh-ed25519 ${key}\r\nbob ssh-ed25519 ${key}\r`, 'ann'],
    ['tabs and a name in quotes', `"ann"\tnamespaces="*"\tssh-ed25519\t${key}`, 'ann'],
    ['a name after a pattern', `*@example.org,ann ssh-ed25519 ${key}`, 'ann'],
    ['a certificate authority', `*@example.org cert-authority ssh-ed25519 ${key}`, undefined],
  ])('understand %s', (_, line, name) => expect(readSigners(`${line}\n`).find(print, 0)).toBe(name));

  // ssh-keygen refuses them as well.
  it.each([
    `!ann ssh-ed25519 ${key}`,
    `"" ssh-ed25519 ${key}`,
    `ann"b" ssh-ed25519 ${key}`,
    `ann namespaces="*,!lorekeeper" ssh-ed25519 ${key}`,
    `ann namespaces=lorekeeper ssh-ed25519 ${key}`,
    `ann valid-before=20990101 ssh-ed25519 ${key}`,
    `ann valid-before="20200101",valid-before="20990101" ssh-ed25519 ${key}`,
    `ann namespaces="lorekeeper", ssh-ed25519 ${key}`,
    `ann ssh-ed25519 ${key}=`,
    `ann ssh-ed25519 "${key}"`,
    `ann\u00a0ssh-ed25519 ${key}`,
  ])('do not count: %s', (line) => {
    const { find, problems } = readSigners(line);
    expect(find(print, Date.UTC(2026, 0))).toBeUndefined();
    expect(problems).toHaveLength(1);
  });

  it('show the fingerprint of a key that has no name', () => {
    expect(readSigners(`*@example.org ssh-ed25519 ${key}`).find(print, 0)).toBe(print);
  });

  it('count for a time', () => {
    const list = readSigners(`ann valid-after="20260101",valid-before="20260701Z" ssh-ed25519 ${key}`);
    const days = ['2025-12-31', '2026-01-01', '2026-06-30', '2026-07-01'];
    expect(days.map((one) => list.find(print, day(one)))).toEqual([undefined, 'ann', 'ann', undefined]);
  });

  it('report what is not understood, by line', () => {
    const lines = [
      'ann',
      `bob ssh-ed25519 ${ecdsa}`,
      `cy touch-required ssh-ed25519 ${key}`,
      `dan valid-before="soon" ssh-ed25519 ${key}`,
    ];
    const { problems, find } = readSigners(lines.join('\n'));
    expect(problems.map(({ path, problem }) => `${path}: ${problem}`)).toEqual([
      '.lore/allowed_signers, line 1: it is not a name with an SSH public key',
      '.lore/allowed_signers, line 2: it is not a name with an SSH public key',
      '.lore/allowed_signers, line 3: the option "touch-required" is not supported',
      '.lore/allowed_signers, line 4: the option "valid-before="soon"" is not supported',
    ]);
    expect(find(print, 0)).toBeUndefined();
  });
});
