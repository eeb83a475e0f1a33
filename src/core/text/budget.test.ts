// Estimates beside the counts that real tokenizers gave for the same texts, and pages that fit.
import { describe, expect, it } from 'vitest';
import { cutText, estimateTokens, type Fit, fitBudget } from './budget.ts';

/** Counted with o200k (OpenAI) and with Claude's published tokenizer. */
const counted: [text: string, o200k: number, claude: number][] = [
  [
    'PostgreSQL 15 is the primary database. We moved the sessions to Redis in May, because the old table had grown so much that every login took a second. If a deploy fails, read the log of the gateway first and then run it again.',
    52,
    50,
  ],
  [
    'export function openStore(location: string, options: StoreOptions = {}): Promise<Store> {\n  const path = resolvePath(location);\n  if (!existsSync(path)) throw new LoreError(\'not_found\', "Cannot open it: it does not exist");\n  return connect(path, { busyTimeout: options.busyTimeout ?? 30_000, readOnly: false });\n}\n',
    78,
    84,
  ],
  [
    '{"id":"m_01J9Z3","kind":"semantic","text":"The API gateway listens on 8443.","tags":["gateway","port"],"importance":0.8,"created":1781706600000,"superseded_by":null}',
    54,
    53,
  ],
  [
    '2026-06-17T14:30:00.123Z ERROR [worker-3] request 8f14e45fceea167a failed: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1555:16)\n',
    74,
    72,
  ],
  [
    '我们在五月份从 PostgreSQL 迁移到了 CockroachDB，因为需要多区域写入。如果测试失败，请先检查日志，然后再重新运行整个流程。记忆服务必须在回答之前将内容持久化到磁盘上。',
    51,
    65,
  ],
  [
    'テストが失敗した場合は、まずログを確認してから、もう一度やり直してください。ゲートウェイは8443番ポートで待ち受けています。',
    41,
    57,
  ],
  [
    'def read_config(path: str) -> dict[str, Any]:\n    """Read the settings; a missing file is an empty one."""\n    try:\n        with open(path, encoding="utf-8") as handle:\n            return tomllib.loads(handle.read())\n    except FileNotFoundError:\n        return {}\n',
    62,
    67,
  ],
  [
    '## Decisions\n\n- **Store**: SQLite in WAL mode, one file per user.\n- **Search**: BM25 and int8 vectors, fused by weight.\n- **Release**: every Tuesday, from `main`, by `npm run release`.\n\n| name | value |\n|---|---|\n| port | 8443 |\n| timeout | 30 s |\n',
    76,
    79,
  ],
];

describe('an estimate', () => {
  it.each(counted)('of %s is near both counts', (text, o200k, claude) => {
    const estimate = estimateTokens(text);
    expect(estimate).toBeGreaterThanOrEqual(Math.min(o200k, claude) * 0.85);
    expect(estimate).toBeLessThanOrEqual(Math.max(o200k, claude) * 1.15);
  });

  it('is zero only for an empty text', () => {
    expect(estimateTokens('')).toBe(0);
    for (const text of ['a', '.', '\n', '\u0000', '界', '🐛']) expect(estimateTokens(text)).toBeGreaterThan(0);
  });

  it('grows with the text', () => {
    const text = 'The gateway listens on 8443; `openStore()` retries.\n数据库是主要的。🐛 ';
    expect(estimateTokens(text.repeat(20))).toBeGreaterThan(19 * estimateTokens(text) * 0.9);
  });
});

const entries = Array.from({ length: 6 }, (_, index) => ({
  id: `m${index}`,
  text: `Memory ${index} says that the gateway listens on port ${8440 + index}.`,
}));
const textOf = (entry: { text: string }): string => entry.text;

describe('a page', () => {
  it('contains all items that fit, and the position of the next', () => {
    const each = estimateTokens(textOf(entries[0] as { text: string })) + 1;
    const fit = fitBudget(entries, each * 3, textOf);
    expect(fit.kept.map(({ item }) => item.id)).toEqual(['m0', 'm1', 'm2']);
    expect(fit.next).toBe(3);
    expect(fit.tokens).toBeLessThanOrEqual(each * 3);
    expect(fitBudget(entries, each * 3, textOf, 3)).toMatchObject({ next: undefined, kept: { length: 3 } });
  });

  it('shows every item once, whatever the budget', () => {
    for (const budget of [0, 1, 20, 45, 1_000]) {
      const seen: string[] = [];
      for (let at: number | undefined = 0; at !== undefined; ) {
        const fit: Fit<(typeof entries)[number]> = fitBudget(entries, budget, textOf, at);
        seen.push(...fit.kept.map(({ item }) => item.id));
        at = fit.next;
      }
      expect(seen).toEqual(entries.map(({ id }) => id));
    }
  });

  it('moves a long item to the next page, and truncates it there', () => {
    const long = { id: 'long', text: 'A sentence of some length stands here. '.repeat(100) };
    const items = [entries[0] as (typeof entries)[0], long];
    const first = fitBudget(items, 100, textOf);
    expect(first).toMatchObject({ next: 1, kept: [{ cut: false }] });
    const second = fitBudget(items, 100, textOf, 1);
    expect(second.next).toBeUndefined();
    expect(second.kept[0]?.cut).toBe(true);
    expect(second.tokens).toBeLessThanOrEqual(100);
    expect(second.tokens).toBeGreaterThan(70);
  });

  it('of nothing is empty', () => {
    expect(fitBudget([], 100, textOf)).toEqual({ kept: [], tokens: 0, next: undefined });
    expect(fitBudget(entries, 100, textOf, 99)).toEqual({ kept: [], tokens: 0, next: undefined });
  });
});

describe('a cut', () => {
  it('is made at the end of a sentence and names the rest', () => {
    const text = 'The gateway listens on 8443. '.repeat(40);
    const cut = cutText(text, 'm7', 100);
    expect(cut).toMatch(/8443\. \[… truncated: \d+ of 1160 characters shown; recall "m7" returns the whole text\]$/);
    expect(estimateTokens(cut)).toBeLessThanOrEqual(100);
  });

  it('is made at the end of a line of code', () => {
    const cut = cutText('const port = 8443;\n'.repeat(60), 'm7', 120);
    expect(cut).toMatch(/port = 8443; \[… truncated/);
  });

  it('shows the passage with the words of the query', () => {
    const text = `${'The gateway listens on 8443. '.repeat(300)}The walrus eats clams at noon. ${'Deploys are on Tuesday. '.repeat(300)}`;
    const cut = cutText(text, 'm7', 100, { query: 'when does the walrus eat clams?' });
    expect(cut).toContain('The walrus eats clams at noon.');
    expect(cut).toMatch(
      /^\[…\] .* \[… truncated: \d+ to \d+ of \d+ characters shown; recall "m7" returns the whole text\]$/,
    );
    expect(estimateTokens(cut)).toBeLessThanOrEqual(105);
    const chinese = `${'网关监听端口。'.repeat(2_000)}海象吃蛤蜊。${'周二部署。'.repeat(2_000)}`;
    expect(cutText(chinese, 'm7', 100, { query: '海象吃蛤蜊' })).toContain('海象吃蛤蜊');
  });

  it('does not change a text that fits', () => {
    expect(cutText('Short.', 'm7', 10)).toBe('Short.');
  });

  it.each(['a'.repeat(100_000), '界'.repeat(20_000), '👍'.repeat(5_000), ' '.repeat(50_000), '\n'.repeat(50_000)])(
    'is made anywhere in what has no sentences (%#)',
    (text) => {
      const cut = cutText(text, 'm7', 60);
      expect(estimateTokens(cut)).toBeLessThanOrEqual(62);
      expect(cut).not.toMatch(/\p{Surrogate}/u);
    },
  );
});
