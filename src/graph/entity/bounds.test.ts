// Prose yields nothing, spellings meet, answers are bounded and stable, and no text is too hostile.
import { describe, expect, it } from 'vitest';
import { extractEntities, maxEntities } from './entity.ts';

describe('ordinary prose', () => {
  it.each([
    'We met on Tuesday and/or Wednesday to talk about the client/server split; he said it was fine, e.g. for read/write.',
    'I think the next step is to go 3 miles north, express our thanks, and react. It works 24/7, i.e. always.',
    'Please run npm install again, because npm install fails when the network is slow. Then npx is not needed.',
    'GitHub, JavaScript, TypeScript, PostgreSQL, macOS, iPhone, LinkedIn and McDonald are names. So is Node.js.',
    'The item(s) cost $3.50 (about 12%), see page 4, figure 2.1 and section 3.1.4; call 555-1234 at 10:30.',
    'Copying from "draft" to "final" took 404 days. She said: "import the data", and we did. Use it wisely; it matters.',
    'In 2024 about 500 people used the API v2, 3.14 times as many as in 2023. It is a 50/50 chance. N/A.',
    'He wrote _very_ clearly, __strongly__ even, about TCP/IP, his/her rights, application/json and km/h.',
    'Visit example.com or mail info@example.com. The #general channel and issue #123 have colour #ff00aa.',
    'Use `true`, `null`, `--force`, `.ts`, `*.js`, `-x`, `1`, `if`, `string` and `git` as you like.',
    'The U.S.A. and the U.K. agreed.Then they left. St. Md. is not a file, nor is Ph.D. or etc. either.',
    'A feature/login branch was merged into origin/main; the route /api/users and /users/:id stayed.',
    'Es war einmal ein König, der hatte 1.234.567 Taler. Il était une fois… 昔々あるところに。',
    'Dear team, thank you for the error reports; an exception was made for the warning we received last week.',
    '',
    ' \n\t ',
    '```\n```',
  ])('%j yields nothing', (text) => {
    expect(extractEntities(text)).toEqual([]);
  });
});

describe('entities', () => {
  it('are distinct, with the first spelling, by kind and position', () => {
    const text = 'TypeError in ./src/a.ts:12, again src/a.ts and TypeError; `b.c()` — src/b.ts, ENOENT';
    expect(extractEntities(text)).toEqual([
      { kind: 'error', name: 'TypeError', text: 'TypeError' },
      { kind: 'error', name: 'ENOENT', text: 'ENOENT' },
      { kind: 'file', name: 'src/a.ts', text: './src/a.ts:12' },
      { kind: 'file', name: 'src/b.ts', text: 'src/b.ts' },
      { kind: 'symbol', name: 'b.c', text: 'b.c()' },
    ]);
    expect(extractEntities(text)).toEqual(extractEntities(text));
  });

  it('are bounded for each kind', () => {
    const files = Array.from({ length: 500 }, (_, index) => `src/f${index}.ts`).join(' ');
    const calls = Array.from({ length: 500 }, (_, index) => `callNumber${index}()`).join(' ');
    const urls = Array.from({ length: 500 }, (_, index) => `https://example.org/${index}`).join(' ');
    const found = extractEntities(`${files} ${calls} ${urls} then ENOENT`);
    expect(found).toHaveLength(maxEntities);
    expect(found[0]).toMatchObject({ kind: 'error', name: 'ENOENT' });
    expect(found[1]).toMatchObject({ kind: 'file', name: 'src/f0.ts' });
    expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['error', 'file', 'url', 'symbol']));
  });

  it('have a text from the source', () => {
    const text =
      'npm i zod@3.1.0 @a/b; see `Foo#bar`, Node 20, Ada Lovelace <ada@example.org>, cc @grace, C:\\x\\y.ts:3';
    for (const entity of extractEntities(text)) expect(text, entity.name).toContain(entity.text);
  });
});

describe('hostile text', () => {
  const seeds = [
    ...[
      'a',
      'A',
      '_',
      '$',
      '.',
      '/',
      '\\',
      ':',
      '-',
      '@',
      '`',
      '<',
      '(',
      ')',
      '[',
      '#',
      '0',
      '9',
      ' ',
      '\n',
      '\0',
      '\uE000',
    ],
    ...[
      '\ud800',
      'é',
      'a.',
      'a/',
      'a:',
      'a::',
      'a->',
      'a_',
      'a-',
      'Aa',
      'aA',
      '../',
      './',
      'C:\\',
      '1.',
      '1.1-a',
      'v1',
      '>=',
    ],
    ...[
      'http://',
      'http://a)',
      'http://(',
      'https://a?',
      '@a/',
      '@a/b',
      'a@1',
      'a@1.',
      '<a@b.c>',
      'A <a@',
      'A A A A <',
    ],
    ...[
      'npm i ',
      'npm i a ',
      'npx ',
      'pip install ',
      'import ',
      'from ',
      "from 'a' ",
      "import a from 'b'",
      'require(',
      'use a::',
    ],
    ...[
      'Error',
      'aError ',
      'A.Error',
      'ERR_',
      'SQLSTATE',
      'exit code ',
      'HTTP 404 ',
      'returned 404',
      'status ',
      'E',
      'node 20 ',
    ],
    ...[
      'src/a.ts ',
      'a.ts:1 ',
      '`a` ',
      '`a',
      '`a.b()`',
      'a()',
      'a(',
      'fooBar ',
      '"C:\\a',
      '--- a/x.ts\n',
      '((((a',
      'a))))',
      '{}*/',
    ],
    ...[
      'a.a.a.A',
      '...a',
      `${'.'.repeat(300)}a `,
      `${'a/'.repeat(200)} `,
      `@${'a'.repeat(99)}`,
      `${'1.'.repeat(20)}a `,
    ],
  ];

  /** CPU time in ms: a busy machine does not change it. */
  function timeOf(seed: string, length: number): number {
    const text = seed.repeat(Math.ceil(length / seed.length));
    const began = process.cpuUsage();
    expect(extractEntities(text).length).toBeLessThanOrEqual(maxEntities);
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1_000;
  }

  // What is quadratic in 32 KB takes seconds; a megabyte of each would only take the gate's time.
  it.each(seeds)('%j over and over', (seed) => {
    expect(timeOf(seed, 32_768)).toBeLessThan(1_000);
  });

  it.each(['a', ' ', '.', 'npm i ', '`a', 'a@1.', "from 'a' ", 'node 20 ', 'http://a)', 'a.b::c/d ', '"C:\\a'])(
    'a megabyte of %j',
    (seed) => {
      expect(timeOf(seed, 1 << 20)).toBeLessThan(10_000);
    },
  );

  it('of random pieces never throws', () => {
    let state = 42;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state % below;
    };
    for (let round = 0; round < 500; round++) {
      const text = Array.from({ length: 12 }, () => seeds[random(seeds.length)]).join(random(2) ? '' : ' ');
      for (const { name, text: written } of extractEntities(text)) {
        expect(name).not.toBe('');
        expect(written).not.toBe('');
      }
    }
  });
});
