// Tools on the command line: laid out for a person, and as JSON for scripts.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { runLore } from '../support/lore.ts';

describe('a tool as a command', () => {
  it('shows its result, without wrapping if there is no terminal', async () => {
    const env = { LORE_DB: join(createFolder('data'), 'lore.db') };
    const project = 'all';
    const text = `PostgreSQL 15 is the primary database${' of our shop, and of its branches'.repeat(5)}.`;
    expect((await runLore(['remember', text], { env })).stdout).toMatch(/^Stored\n {2}semantic · \w+ · n_\w+\n$/);
    const { stdout } = await runLore(['recall', 'which database?', '--project', project], { env });
    expect(stdout.split('\n')[0]).toBe(`1. ${text}`);
    expect(stdout.split('\n')[1]).toMatch(/^ {3}\w+ · just now · in \S+ · n_\w+ · score \d\.\d\d$/);
    const json = await runLore(['recall', 'which database?', '--project', project, '--json'], { env });
    expect(JSON.parse(json.stdout)).toMatchObject({ memories: [{ text }] });
  });
});
