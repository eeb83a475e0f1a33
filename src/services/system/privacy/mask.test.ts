// Who and what is found in lines that programs really log, and what is left alone.
import { describe, expect, it } from 'vitest';
import { createMask } from './mask.ts';
import { createPseudonyms, type PseudonymKind } from './pseudonym.ts';

const pseudonyms = createPseudonyms(Buffer.alloc(32, 7));
const mask = createMask(pseudonyms, { users: ['maria', 'j.doe'], hosts: ['workhorse'] });
const name = (kind: PseudonymKind, value: string) => pseudonyms.name(kind, value);

describe('identifying values', () => {
  it.each<[string, ...[PseudonymKind, string][]]>([
    ['Failed password for bob from 10.0.0.7 port 51022 ssh2', ['user', 'bob'], ['ip', '10.0.0.7']],
    ['Failed password for invalid user admin1 from 2001:db8::1 port 22', ['user', 'admin1'], ['ip', '2001:db8::1']],
    ['Invalid user oracle from 203.0.113.9', ['user', 'oracle'], ['ip', '203.0.113.9']],
    ['pam_unix(sshd:session): session opened for user carol(uid=1000) by (uid=0)', ['user', 'carol']],
    [
      'pam_unix(sshd:auth): authentication failure; logname= uid=0 ruser=dave rhost=gw.example.com',
      ['user', 'dave'],
      ['host', 'gw.example.com'],
    ],
    ['  erin : TTY=pts/0 ; PWD=/home/erin ; USER=root ; COMMAND=/bin/ls', ['user', 'erin']],
    ['(frank) CMD (/usr/bin/backup)', ['user', 'frank']],
    ['uid=1000(grace) gid=1000(grace)', ['user', 'grace']],
    ['reading /home/heidi/.ssh/config', ['user', 'heidi']],
    ['C:\\Users\\Ivan\\file.txt could not be opened', ['user', 'Ivan']],
    ['Account Name:\t\tjudy', ['user', 'judy']],
    [
      'Security ID: S-1-5-21-2892044109-3067629140-1698523921-1000',
      ['user', 'S-1-5-21-2892044109-3067629140-1698523921-1000'],
    ],
    [
      'to=<mallory@example.org>, relay=mx.example.org[198.51.100.3]:25',
      ['mail', 'mallory@example.org'],
      ['host', 'mx.example.org'],
      ['ip', '198.51.100.3'],
    ],
    ['DHCPACK of 192.168.1.20 to aa:bb:cc:dd:ee:ff', ['ip', '192.168.1.20'], ['mac', 'aa:bb:cc:dd:ee:ff']],
    ['connecting to https://api.internal.example.com/v1', ['host', 'api.internal.example.com']],
    ['maria logged in on workhorse', ['user', 'maria'], ['host', 'workhorse']],
    ["j.doe's session", ['user', 'j.doe']],
  ])('is replaced in: %s', (line, ...found) => {
    const masked = mask(line);
    for (const [kind, value] of found) {
      expect(masked).not.toContain(value);
      expect(masked).toContain(name(kind, value));
    }
    expect(mask(masked), 'again').toBe(masked);
  });

  it.each([
    'Started OpenBSD Secure Shell server.',
    'listening on 127.0.0.1:8080 and ::1',
    'at 10:30:45 it took 12:34',
    'version 1.2.3 of lib.so.6 in main.ts',
    'session opened for user root by (uid=0)',
    'waiting for something from the server',
    'user not found',
    'COMMAND=/usr/bin/systemctl restart nginx.service',
    'the march of marias and workhorses',
  ])('is not found in: %s', (line) => {
    expect(mask(line)).toBe(line);
  });

  it('is deterministic for value and key', () => {
    const other = createPseudonyms(Buffer.alloc(32, 8));
    expect(name('ip', '10.0.0.7')).toMatch(/^ip-[0-9a-f]{8}$/);
    expect(createPseudonyms(Buffer.alloc(32, 7)).name('ip', '10.0.0.7')).toBe(name('ip', '10.0.0.7'));
    expect(other.name('ip', '10.0.0.7')).not.toBe(name('ip', '10.0.0.7'));
    expect(name('user', 'bob')).not.toBe(name('host', 'bob').replace('host', 'user'));
  });

  it.each(['a.', ':', 'user=', 'a@', '1.', 'for a ', '/home/', '0:', 'a-', 'S-1-5-21-1'])(
    'is found in one pass in a million letters of "%s"',
    (piece) => {
      expect(mask(piece.repeat(1_000_000 / piece.length))).not.toBe('');
    },
  );
});
