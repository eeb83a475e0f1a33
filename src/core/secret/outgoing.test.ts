// What leaves is redacted wherever a secret may stand in it, and what holds none stays the very same value. The rules are
// not read before a text comes that could hold a secret.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readSecretCases } from '../../../test/support/secrets.ts';
import type { Content } from '../content.ts';
import { LoreError } from '../error.ts';
import { mayHoldSecret } from './hint.ts';
import { redactAnswer, redactError, redactResult } from './outgoing.ts';
import { findSecrets } from './redact.ts';

const github = ['ghp', 'Zx8Kq2LmVt4RbN7wYc1HsJ0dFgPa3Q0Wk5Te'].join('_');
const mark = '[redacted:github-token]';

describe('a result', () => {
  it('is redacted in every kind of content and in its data', () => {
    const content: Content[] = [
      { type: 'text', text: `use ${github}` },
      { type: 'resource', resource: { uri: 'x:1', text: `use ${github}` } },
      { type: 'resource_link', uri: `https://ana:${github}@host/a`, name: 'a', description: github },
    ];
    expect(redactResult({ content, structured: { a: [github], password: 'q7Zk!2mXv' } })).toEqual({
      content: [
        { type: 'text', text: `use ${mark}` },
        { type: 'resource', resource: { uri: 'x:1', text: `use ${mark}` } },
        { type: 'resource_link', uri: `https://ana:${mark}@host/a`, name: 'a', description: mark },
      ],
      structured: { a: [mark], password: '[redacted:assigned-secret]' },
    });
  });

  it('keeps binary data unchanged', () => {
    const content: Content[] = [
      { type: 'image', data: github, mimeType: 'image/png' },
      { type: 'audio', data: github, mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'x:1', blob: github } },
    ];
    const result = { content };
    expect(redactResult(result)).toBe(result);
    expect(redactResult({ content, structured: { data: github } })).toEqual({ content, structured: { data: mark } });
  });

  it('is the same object without secrets', () => {
    const result = { content: [{ type: 'text' as const, text: 'hello' }], structured: { key: 'value', list: [{}] } };
    expect(redactResult(result)).toBe(result);
    const bare = { content: [{ type: 'text' as const, text: 'hello' }] };
    expect(redactResult(bare)).toBe(bare);
  });
});

describe('an answer', () => {
  it('is redacted: messages, contents and completions', () => {
    expect(redactAnswer([{ role: 'user', content: { type: 'text', text: github } }])).toEqual([
      { role: 'user', content: { type: 'text', text: mark } },
    ]);
    expect(redactAnswer([{ uri: 'x:1', blob: github, text: github }])).toEqual([
      { uri: 'x:1', blob: github, text: mark },
    ]);
    expect(redactAnswer([github, 'b'])).toEqual([mark, 'b']);
  });
});

describe('an error', () => {
  it('is redacted and keeps its word and cause', () => {
    const cause = new Error('why');
    const error = new LoreError('conflict', `Cannot use "${github}": it is old`, {
      hint: `Not ${github}.`,
      details: { path: 'a', received: github },
      cause,
    });
    const clean = redactError(error);
    expect(clean).toMatchObject({
      word: 'conflict',
      message: `Cannot use "${mark}": it is old`,
      hint: `Not ${mark}.`,
      details: { path: 'a', received: mark },
      cause,
    });
    expect(clean.stack).not.toContain(github);
    const harmless = new LoreError('conflict', 'Cannot do it: no');
    expect(redactError(harmless)).toBe(harmless);
  });

  it('is short, whatever it quotes, and keeps its beginning and its reason', () => {
    const long = `${'a '.repeat(4_080)}${github}${' b'.repeat(1_000_000)}`;
    const { message, details } = redactError(
      new LoreError('not_found', `Cannot find "${long}": there is none`, { details: { path: 'a', received: long } }),
    );
    expect(message).toMatch(/^Cannot find "a .*… b.* b": there is none$/);
    expect(Math.max(message.length, String(details?.received).length)).toBeLessThan(9_000);
    for (let pad = 4_040; pad < 4_100; pad += 7) {
      const cut = redactError(new LoreError('conflict', `${' '.repeat(pad)}${github}${' b'.repeat(10_000)}`));
      expect(cut.message).not.toContain(github.slice(0, 8));
    }
  });
});

describe('the rules', () => {
  afterEach(() => {
    vi.doUnmock('./rules.ts');
    vi.resetModules();
  });

  async function loadAnew() {
    vi.resetModules();
    const read = vi.fn();
    vi.doMock('./rules.ts', async (original) => {
      const { listSecretRules } = await original<typeof import('./rules.ts')>();
      read.mockImplementation(listSecretRules);
      return { listSecretRules: read };
    });
    return { read, ...(await import('./outgoing.ts')), ...(await import('./redact.ts')) };
  }

  it('are loaded only for answers that may contain a secret', async () => {
    const { read, redactResult: redactCold } = await loadAnew();
    await redactCold({
      content: [{ type: 'text', text: 'Echo: hello there' }],
      structured: { text: 'hello there', n: 1 },
    });
    expect(read).not.toHaveBeenCalled();
    expect((await redactCold({ content: [{ type: 'text', text: github }] })).content).toEqual([
      { type: 'text', text: mark },
    ]);
    expect(read).toHaveBeenCalledOnce();
  });

  it('judge a value by its key also when they have not been read before', async () => {
    const { redactResult: redactCold } = await loadAnew();
    const structured = { pagerduty: ['u+Zk2mXvT7', 'bR5wLcY8dH'].join('') };
    expect((await redactCold({ content: [], structured })).structured).toEqual({
      pagerduty: '[redacted:pagerduty-key]',
    });
  });

  it('find nothing in a text that passes the quick check', async () => {
    const cases = await readSecretCases();
    expect(cases.length).toBeGreaterThan(300);
    for (const { text, labels } of cases) {
      for (const { start, end } of labels) {
        // As little around it as still gives it away.
        for (const before of [0, 4, 8, 16, 32, 64]) {
          const part = text.slice(Math.max(0, start - before), end + 1);
          if (findSecrets(part).length === 0) continue;
          expect(mayHoldSecret(part), part).toBe(true);
          break;
        }
      }
    }
  });
});
