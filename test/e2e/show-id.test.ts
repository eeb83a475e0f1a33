// Reading an entry whole by its id, from the terminal and as a model does.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { runLore } from '../support/lore.ts';

function createPlace() {
  const folder = createFolder('project');
  const env = { LORE_DB: join(folder, 'lore.db') };
  const run = (args: string[], input?: string) =>
    runLore(args, { env, cwd: folder, ...(input !== undefined && { input }) });
  const lore = async (...args: string[]) => (await run(args)).stdout;
  const json = async (...args: string[]) => JSON.parse(await lore(...args, '--json'));
  return { run, lore, json };
}

describe('lore show', () => {
  it('prints an entry by a prefix of its id, with its facts, links and history', async () => {
    const { run, lore, json } = createPlace();
    const { id } = await json('remember', 'The worker in `src/queue.ts` retries six times.', '--tags', 'ops,queue');
    const shown = await lore('show', id.slice(0, 16));
    expect(shown).toMatch(new RegExp(`^${id}\n  memory.* · just now · #ops #queue · 47 characters\n\nThe worker in`));
    expect(shown).toMatch(
      /Links\n {2}mentions → ent_\w+ src\/queue\.ts\n\nHistory\n {2}just now · stored · by local\n$/,
    );
    expect((await run(['show', 'n_mwic'])).code).toBe(3);
    expect((await run(['show', 'what is the walrus'])).code).toBe(3);
    expect(await run(['show'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Missing argument <id>') });
    await lore('forget', id);
    expect(await lore('show', id)).toContain('forgotten just now');
  });

  it('reads a long memory in pages, and the part that is recalled is the one that was asked for', async () => {
    const { run, lore, json } = createPlace();
    const filler = (n: number) =>
      `Paragraph ${n} is about nothing in particular, as paragraphs of a long text are.\n\n`;
    const parts = Array.from({ length: 1_200 }, (_, n) =>
      n === 900 ? 'The walrus eats clams at noon.\n\n' : filler(n),
    );
    const text = parts.join('').trim();
    expect(text.length).toBeGreaterThan(90_000);
    expect((await run(['remember'], text)).code).toBe(0);
    const recalled = await lore('recall', 'when does the walrus eat clams?');
    expect(recalled).toContain('The walrus eats clams at noon.');
    const [, id] = /recall\s+"(n_\w+)"\s+returns\s+the\s+whole\s+text/.exec(recalled) as unknown as [string, string];
    let read = '';
    let pages = 0;
    for (let cursor: string[] = []; ; pages++) {
      const { whole, next_cursor: next } = await json('recall', id, '--budget-tokens', '6000', ...cursor);
      expect(whole).toMatchObject({ id, offset: read.length, length: text.length });
      read += whole.text;
      if (next === undefined) break;
      cursor = ['--cursor', next];
    }
    expect(read).toBe(text);
    expect(pages).toBeGreaterThan(2);
    expect((await json('show', id)).text).toBe(text);
  });
});
