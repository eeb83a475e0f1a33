// What is taken out, what stays, and how: places, marks, JSON values. How well, on a large labelled set, is the
// business of bench/quality/redaction. Secrets here are put together at run time, so that no scanner takes this file
// for a leak.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findSecrets, redact, redactDeep, redactJson, redactLines } from './redact.ts';

const github = ['ghp', 'Zx8Kq2LmVt4RbN7wYc1HsJ0dFgPa3Q0Wk5Te'].join('_');
const aws = ['AKIA', 'Q7ZL2MXNC5RTWVB4'].join('');
const jwt = [
  Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url'),
  Buffer.from('{"sub":"42"}').toString('base64url'),
  'k3Jx9mQ2vT7bZ1nR5wLcY8dHs0PfGaVuEiOt4K6yXq',
].join('.');
const pem = (body: string) => `-----BEGIN PRIVATE ${'KEY'}-----\n${body}\n-----END PRIVATE ${'KEY'}-----`;
const body = Array.from({ length: 4 }, () => 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7vX3Zr1pQ8kLm').join(
  '\n',
);

describe('redact', () => {
  it('replaces each secret by a readable mark and changes nothing else', () => {
    expect(redact(`a ${github} b ${aws} c ${github} d`)).toEqual({
      text: 'a [redacted:github-token] b [redacted:aws-access-key] c [redacted:github-token] d',
      found: [
        { rule: 'github-token', count: 2 },
        { rule: 'aws-access-key', count: 1 },
      ],
    });
  });

  it('returns the same text if nothing was found', () => {
    const text = 'const token = await readToken(path);';
    expect(redact(text)).toEqual({ text, found: [] });
    expect(redact('')).toEqual({ text: '', found: [] });
  });

  it.each([
    ['in JSON within JSON', JSON.stringify({ a: JSON.stringify({ b: github }) })],
    ['behind an escaped line end', `"first\\n${github}"`],
    ['behind an encoded sign', `?next=%3D${github}`],
    ['at the very start and end', github],
    ['in an address', `https://x-access-token:${github}@github.com/a/b.git`],
    ['behind a letter of another script', `токен${github}`],
    ['behind a letter', `X${github}`],
    ['in a file name', `file_${github}.txt`],
  ])('finds a secret %s', (_, text) => {
    const clean = redact(text);
    expect(clean.text).not.toContain(github);
    expect(clean.text).toBe(text.replace(github, '[redacted:github-token]'));
  });

  it.each([
    ['aws-access-key', `key${aws}`],
    ['slack-token', `token${['xoxb', '589203864299', '0303798228982', '7VcMCW5XMrSWE5Bbf2uxmszO'].join('-')}`],
    ['gitlab-token', `id${['glpat', 'k6cjw5rmglcQVeopwRY7'].join('-')}`],
    ['npm-token', `log${['npm', 'PvaXD1gwMQe2fBhQuVbuQ2cKsLpIwJ4QYzCB'].join('_')}`],
  ])('finds a %s glued to a word', (rule, text) => {
    expect(redact(text).found).toEqual([{ rule, count: 1 }]);
  });

  it('names the most specific rule if several apply', () => {
    expect(redact(`password = "${github}"`).text).toBe('password = "[redacted:github-token]"');
    expect(redact(`Authorization: Bearer ${jwt}`).text).toBe('Authorization: Bearer [redacted:jwt]');
  });

  it('removes the body of a private key and keeps its first and last lines', () => {
    expect(redact(pem(body)).text).toBe(pem('[redacted:private-key]\n').replace('\n\n', ''));
    const escaped = JSON.stringify({ key: pem(body) });
    expect(JSON.parse(redact(escaped).text).key).toBe(pem('[redacted:private-key]\n').replace('\n\n', ''));
  });

  it('removes a long value completely', () => {
    const long = Array.from({ length: 20 }, (_, i) => createHash('sha512').update(`${i}`).digest('base64url')).join('');
    expect(redact(`SECRET_KEY=${long}\nA=1`).text).toBe('SECRET_KEY=[redacted:assigned-secret]\nA=1');
    expect(redact(`{"token":"${long}"}`).text).toBe('{"token":"[redacted:assigned-secret]"}');
    expect(redact(`Authorization: Bearer ${long}`).text).toBe('Authorization: Bearer [redacted:authorization]');
  });

  it('accepts valid checksums, and random-looking values without one, but no placeholders', () => {
    expect(redact(`ghp_${'x'.repeat(36)}`).found).toEqual([]);
    expect(redact(`ghp_${'1234567890abcdefghijklmnopqrstuvwxyz'}`).found).toEqual([]);
    expect(redact(['eyJub3QiOiJhIGhlYWRlciJ9', 'eyJhIjoxfQ', 'abc'].join('.')).found).toEqual([]);
  });

  it("ignores Amazon's documented examples", () => {
    const text =
      'aws_access_key_id=AKIAIOSFODNN7EXAMPLE\naws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
    expect(redact(text).text).toBe(text);
  });

  it('does not change redacted text again', () => {
    const text = [
      `a ${github}`,
      `Authorization: Bearer ${jwt}`,
      'postgres://app:q7Zk2mXv@db/app',
      `Cookie: session=${'k3Jx9mQ2vT7bZ1nR5wLc'}`,
      'curl -u ci:q7Zk2mXv https://x',
      'DB_PASSWORD=q7Zk2mXv',
      'https://0f1e2d3c4b5a69788796a5b4c3d2e1f0@o1.ingest.sentry.io/2',
      pem(body),
    ].join('\n');
    const once = redact(text);
    expect(once.found).toHaveLength(8);
    expect(redact(once.text)).toEqual({ text: once.text, found: [] });
  });
});

describe('redactLines', () => {
  it('marks each line of a secret and keeps their number', async () => {
    const clean = await redactLines(`a\n${pem(body)}\nb ${github} c`);
    expect(clean.split('\n').slice(2, 6)).toEqual(Array(4).fill('[redacted:private-key]'));
    expect(clean.split('\n')).toHaveLength(8);
    expect(redact(clean)).toEqual({ text: clean, found: [] });
    expect(redactLines('nothing here')).toBe('nothing here');
  });
});

describe('findSecrets', () => {
  it('returns positions in order and without overlap', () => {
    const text = `x=${aws}; password='q7Zk!2mXv'; ${jwt}`;
    const found = findSecrets(text);
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual([aws, 'q7Zk!2mXv', jwt]);
  });
});

describe('redactDeep', () => {
  it('returns the same value if nothing was found', () => {
    const value = { a: [1, 'two', { three: null }], when: new Date(0) };
    expect(redactDeep(value)).toBe(value);
    expect(redactDeep('plain')).toBe('plain');
    expect(redactDeep(undefined)).toBeUndefined();
  });

  it('redacts strings and keys at any depth and keeps the parts that had nothing', () => {
    const clean = { n: 1 };
    const value = { list: [`use ${github}`, clean], [github]: 1 };
    const tally = new Map<string, number>();
    const redacted = redactDeep(value, tally);
    expect(redacted).toEqual({ list: ['use [redacted:github-token]', clean], '[redacted:github-token]': 1 });
    expect(redacted.list[1]).toBe(clean);
    expect(value.list[0]).toContain(github);
    expect(tally).toEqual(new Map([['github-token', 2]]));
  });

  it('judges a value by its key', () => {
    const value = {
      user: 'ana',
      password: 'q7Zk"2mXv!',
      db: { api_key: 'k3Jx9mQ2vT7bZ1nR5wLc' },
      password_file: '/run/pw1',
    };
    expect(redactDeep(value)).toEqual({
      user: 'ana',
      password: '[redacted:assigned-secret]',
      db: { api_key: '[redacted:assigned-secret]' },
      password_file: '/run/pw1',
    });
    const harmless = { password: '$DB_PASSWORD', token: 'YOUR_TOKEN', secret: 'has 1 space' };
    expect(redactDeep(harmless)).toBe(harmless);
  });

  it('keeps two keys of one kind apart, and magic keys harmless', () => {
    const other = ['ghp', 'Yx8Kq2LmVt4RbN7wYc1HsJ0dFgPa3Q0Wk5Tf'].join('_');
    expect(Object.values(redactDeep({ [github]: 1, [other]: 2 }))).toEqual([1, 2]);
    const magic = JSON.parse(`{"__proto__":{"x":"${github}"}}`);
    expect(Object.getPrototypeOf(redactDeep(magic))).toBe(Object.prototype);
    expect(JSON.stringify(redactDeep(magic))).toBe('{"__proto__":{"x":"[redacted:github-token]"}}');
  });
});

describe('redactJson', () => {
  const yaml = `- name: AWS_SECRET_ACCESS_KEY\n  value: ${['sB7PM9DboMe5Nx+ASlfJ', '8Wcwl8t924KsfI2kQJqs'].join('')}`;
  const clean = '- name: AWS_SECRET_ACCESS_KEY\n  value: [redacted:aws-secret-key]';

  it('decodes strings in JSON and JSON Lines', async () => {
    expect(JSON.parse(await redactJson(JSON.stringify([{ content: yaml }])))).toEqual([{ content: clean }]);
    const lines = ['{ "n": 1 }', JSON.stringify({ content: yaml }), yaml, '{broken'].join('\n');
    expect(redactJson(lines)).toBe(['{ "n": 1 }', JSON.stringify({ content: clean }), clean, '{broken'].join('\n'));
  });

  it('returns the same text if nothing was found', () => {
    for (const text of ['{ "a":  1.0 }', '{ "a":  1.0 }\n[2]', 'plain\n{', '']) expect(redactJson(text)).toBe(text);
  });
});
