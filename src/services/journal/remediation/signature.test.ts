// What is taken for characteristic of an error, and what for chance.
import { describe, expect, it } from 'vitest';
import { compareSignatures, matchesFrom } from './score.ts';
import { signError } from './signature.ts';

const hashOf = (text: string) => signError(text).failures[0]?.hash;
const codesOf = (text: string) => signError(text).failures[0]?.codes.map(({ name }) => name) ?? [];
const likeness = (a: string, b: string) => compareSignatures(signError(a), signError(b)).score;

describe('a signature', () => {
  it.each([
    [
      'paths and lines',
      'src/a.ts(1,2): error TS2304: Cannot find name',
      'C:\\web\\b.ts(77,9): error TS2304: Cannot find name',
    ],
    ['hosts and ports', 'Error: connect ECONNREFUSED 127.0.0.1:80', 'Error: connect ECONNREFUSED 10.0.0.9:5432'],
    ['quoted names', "KeyError: 'user_id'", "KeyError: 'amount'"],
    [
      'ids and hashes',
      'Error: no lease 6f1c1b9e-6a4e-4c39-9d9e-0d6f2b1c7a55',
      'Error: no lease 0f1c1b9e-6a4e-4c39-9d9e-0d6f2b1c7a50',
    ],
    ['addresses', 'unexpected fault address 0x7f001122', 'unexpected fault address 0xdeadbeef'],
    [
      'times and levels',
      '2026-05-01T10:00:00Z ERROR disk quota exceeded',
      '[2026/06/02 01:02:03] ERROR: disk quota exceeded',
    ],
    ['colours', '\u001b[31mError: disk quota exceeded\u001b[0m', 'Error: disk quota exceeded'],
    ['containers', 'web-1  | Error: disk quota exceeded', 'Error: disk quota exceeded'],
    ['versions', 'Unsupported engine v16.20.2', 'Unsupported engine v18.0.1'],
    [
      'how a panic is written',
      "thread 'main' panicked at 'no rows', src/a.rs:1:2",
      "thread 'x' panicked at src/b.rs:9:9:\nno rows",
    ],
  ])('is the same whatever the %s', (_, a, b) => {
    expect(hashOf(a)).toBeDefined();
    expect(hashOf(a)).toBe(hashOf(b));
  });

  it.each([
    ['error[E0382]: borrow of moved value: `x`', 'E0382'],
    ['src/a.ts(1,2): error TS2345: Argument of type A', 'TS2345'],
    ['npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree', 'ERESOLVE'],
    ['java.lang.IllegalMonitorStateException: current thread is not owner', 'IllegalMonitorStateException'],
    ["error: boom\n  code: 'ECONNRESET'", 'ECONNRESET'],
    ['ERROR: relation "users" does not exist (SQLSTATE 42P01)', 'SQLSTATE 42P01'],
    ['ORA-00942: table or view does not exist', 'ORA-00942'],
    ['a.csproj : error MSB3027: Could not copy "a" to "b"', 'MSB3027'],
    ['ERROR 1062 (23000): Duplicate entry 1 for key 2', 'number 1062'],
    ['An error occurred (NoSuchBucket) when calling the ListObjects operation: no', 'NoSuchBucket'],
    ['Warning  FailedScheduling  14s  default-scheduler  0/3 nodes are available', 'FailedScheduling'],
    ['[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed', 'CERTIFICATE_VERIFY_FAILED'],
    ['Bundler::GemNotFound: Could not find rake', 'GemNotFound'],
    [
      "  3:10  error  'x' is defined but never used  @typescript-eslint/no-unused-vars",
      '@typescript-eslint/no-unused-vars',
    ],
    ["a.c:3:5: warning: unused variable 'x' [-Wunused-variable]", '-Wunused-variable'],
    ['x.service: Main process exited, code=exited, status=203/EXEC', 'status 203/EXEC'],
  ])('finds the code of %s', (text, code) => {
    expect(codesOf(text)).toContain(code);
  });

  it('has the functions of the stack, without lines, folders and the runtime', () => {
    const trace =
      'TypeError: x is not a function\n    at total (/srv/app/src/cart.js:42:16)\n    at node:internal/main:9:1';
    expect(signError(trace)).toMatchObject({ frames: ['cart.total'] });
    expect(
      signError('Traceback (most recent call last):\n  File "/a/b/load.py", line 3, in run\nKeyError: 1'),
    ).toMatchObject({
      frames: ['load.run'],
    });
    expect(signError('java.io.EOFException\n\tat com.acme.Reader.next(Reader.java:5)').frames).toEqual(['reader.next']);
  });

  it('finds the failure in a line of JSON', () => {
    const stack = 'RangeError: Invalid array length\n    at grow (/app/grow.js:1:2)';
    const line = JSON.stringify({ level: 50, msg: 'request failed', err: { message: 'Invalid array length', stack } });
    expect(signError(line)).toMatchObject({ headline: 'RangeError: Invalid array length', frames: ['grow.grow'] });
  });

  it('does not treat a setting as a code', () => {
    expect(codesOf('Error: DATABASE_URL is not set')).toEqual([]);
    expect(codesOf('Error: the file is not UTF-8 and not ISO-88591')).toEqual([]);
  });

  it('is the cause, not the message that something failed', () => {
    expect(signError('APPLICATION FAILED TO START\n\nPort 80 was already in use.').headline).toMatch(/^Port/);
    expect(
      signError("a.c:(.text+0x1): undefined reference to `x'\nmake: *** [Makefile:7: app] Error 1").failures,
    ).toHaveLength(1);
  });

  it('continues after a line that ends with a colon', () => {
    expect(signError('CMake Error at CMakeLists.txt:9 (x):\n  Cannot find source file').headline).toMatch(
      /Cannot find/,
    );
  });

  it('is empty for a log in which nothing failed', () => {
    const log = Array.from({ length: 10 }, (_, n) => `2026-05-01T10:00:0${n}Z INFO served page ${n}`).join('\n');
    expect(signError(log).failures).toEqual([]);
    expect(signError('').failures).toEqual([]);
  });

  it.each([
    ['quotes', '"'.repeat(300_000)],
    ['apostrophes', "'a ".repeat(100_000)],
    ['slashes', '/a'.repeat(150_000)],
    ['dots', 'a.'.repeat(150_000)],
    ['brackets', '{"msg":'.repeat(40_000)],
    ['escapes', '\u001b['.repeat(150_000)],
    ['breaks', '\\nError: x'.repeat(30_000)],
    ['fields', 'msg="'.repeat(60_000)],
    ['lines', 'error: x\n'.repeat(30_000)],
    ['lone surrogates', 'Error: \ud800'.repeat(30_000)],
  ])('is small for three hundred thousand %s', (_, text) => {
    expect(JSON.stringify(signError(text)).length).toBeLessThan(50_000);
  });
});

describe('likeness', () => {
  it('is zero for two codes of one space, even with similar words', () => {
    expect(likeness('a.ts: error TS2304: Cannot find name A', 'a.ts: error TS2552: Cannot find name A')).toBe(0);
    expect(likeness('error: x violates a rule\ncode: 23505', 'error: x violates a rule\ncode: 23503')).toBeLessThan(
      matchesFrom,
    );
  });

  it('is high for a truncated message', () => {
    const whole = 'fatal: Your local changes to the following files would be overwritten by merge, please commit them';
    expect(likeness(whole, whole.slice(0, 75))).toBeGreaterThanOrEqual(matchesFrom);
  });

  it('ignores the spelling of a code', () => {
    const [a, b] = [
      'ExpiredToken: The provided token has expired.',
      'x.ExpiredTokenException: The token is no longer valid',
    ];
    expect(likeness(a, b)).toBeGreaterThanOrEqual(matchesFrom);
  });

  it('needs more than a frequent class', () => {
    const [a, b] = ['TypeError: items.map is not a function', 'TypeError: Failed to construct URL, bad base'];
    expect(likeness(a, b)).toBeLessThan(matchesFrom);
    expect(likeness(a, 'TypeError: rows.forEach is not a function')).toBeGreaterThanOrEqual(matchesFrom);
  });

  it('grows with common names and frames', () => {
    const error = "Error: Cannot find module 'sharp'\n    at load (/app/images.js:1:2)";
    const same = likeness(error, error);
    const named = likeness(error, "Error: Cannot find module 'sharp'");
    const other = likeness(error, "Error: Cannot find module 'canvas'");
    expect(same).toBeGreaterThan(named);
    expect(named).toBeGreaterThan(other);
    expect(other).toBeGreaterThanOrEqual(matchesFrom);
  });
});
