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
    ['ERROR:  relation "users" does not exist', 'SQLSTATE 42P01'],
    ['psycopg2.errors.UniqueViolation: duplicate key value violates unique constraint "a"', 'SQLSTATE 23505'],
    ['java.lang.IllegalMonitorStateException: current thread is not owner', 'IllegalMonitorStateException'],
    ["error: boom\n  code: 'ECONNRESET'", 'ECONNRESET'],
    ["PermissionError: [Errno 13] Permission denied: 'x'", 'EACCES'],
  ])('knows the code of %s', (text, code) => {
    expect(codesOf(text)).toContain(code);
  });

  it('has the functions of the stack, without lines, folders and the runtime', () => {
    const trace =
      'TypeError: x is not a function\n    at total (/srv/app/src/cart.js:42:16)\n    at node:internal/main:9:1';
    expect(signError(trace)).toMatchObject({ frames: ['cart.total'], language: 'javascript' });
    expect(
      signError('Traceback (most recent call last):\n  File "/a/b/load.py", line 3, in run\nKeyError: 1'),
    ).toMatchObject({
      frames: ['load.run'],
      language: 'python',
    });
    expect(signError('java.io.EOFException\n\tat com.acme.Reader.next(Reader.java:5)').frames).toEqual(['reader.next']);
  });

  it('finds the failure in a line of JSON', () => {
    const stack = 'RangeError: Invalid array length\n    at grow (/app/grow.js:1:2)';
    const line = JSON.stringify({ level: 50, msg: 'request failed', err: { message: 'Invalid array length', stack } });
    expect(signError(line)).toMatchObject({ headline: 'RangeError: Invalid array length', frames: ['grow.grow'] });
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
  it('is none between two codes of one space, however like the words', () => {
    expect(likeness('a.ts: error TS2304: Cannot find name A', 'a.ts: error TS2552: Cannot find name A')).toBe(0);
    expect(likeness('error: x violates a rule\ncode: 23505', 'error: x violates a rule\ncode: 23503')).toBeLessThan(
      matchesFrom,
    );
  });

  it('takes more than a frequent class', () => {
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
