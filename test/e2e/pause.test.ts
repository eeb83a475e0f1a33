// Nothing is learned during a pause or in an ignored folder, by hooks or by tool; an explicit remember still works.
import { appendFileSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { runLore } from '../support/lore.ts';

let env: Record<string, string>;
let folder: string;
let transcript: string;

beforeEach(() => {
  const data = createFolder('data');
  folder = realpathSync(createFolder('project'));
  transcript = join(data, 't.jsonl');
  writeFileSync(transcript, '');
  env = { XDG_DATA_HOME: data, LORE_DB: join(data, 'lore.db'), LORE_CONFIG: join(data, 'config.json') };
});

const lore = (args: string[], more: { input?: string; env?: Record<string, string> } = {}) =>
  runLore(args, { cwd: folder, ...more, env: { ...env, ...more.env } });
const say = (content: string) => {
  const timestamp = new Date().toISOString();
  appendFileSync(transcript, `${JSON.stringify({ type: 'user', message: { role: 'user', content }, timestamp })}\n`);
};
const hook = (event: string, more: Record<string, string> = {}) =>
  lore(['hook', event], {
    input: JSON.stringify({ cwd: folder, session_id: 's', transcript_path: transcript, prompt: 'which gateway port?' }),
    env: more,
  });
async function known(): Promise<string[]> {
  const { stdout } = await lore(['recent', '--json']);
  return (JSON.parse(stdout) as { memories: { text: string }[] }).memories.map(({ text }) => text).sort();
}
/** On a busy machine the hook leaves learning to a process in the background. */
const expectKnown = (...texts: string[]) => expect.poll(known).toEqual(texts);

describe('lore pause', () => {
  it('stops hooks and learn in this project, then and later, and lets remember work', async () => {
    expect((await lore(['pause'])).stdout).toMatch(/^Learning is paused in project ".+"\. remember still works\./);
    say('The API gateway listens on 8443.');
    expect((await hook('SessionEnd')).code).toBe(0);
    expect((await lore(['learn', 'PostgreSQL 15 is the primary database.'])).stdout).toContain(
      'Learning is paused here',
    );
    expect((await lore(['status'])).stdout).toContain('Learning: paused; remember still works');
    await lore(['remember', 'We deploy on Tuesdays.']);
    say('Tests run with pnpm vitest run.');
    expect((await lore(['pause', '--off'])).stdout).toContain('Learning is on again in project');
    say('Node 22 features are now available in CI.');
    await hook('SessionEnd');
    await expectKnown('Node 22 features are now available in CI.', 'We deploy on Tuesdays.');
    const { stdout } = await lore(['checkpoint_list', '--json']);
    expect(stdout).not.toMatch(/vitest|8443/);
    expect((await lore(['status'])).stdout).not.toContain('Learning:');
  });

  it('covers conversations of an earlier pause, read by a hook or import after a later one', async () => {
    const row = (content: string) =>
      JSON.stringify({
        type: 'user',
        cwd: folder,
        timestamp: new Date().toISOString(),
        message: { role: 'user', content },
      });
    await lore(['pause']);
    say('The API gateway listens on 8443.');
    const rows = [row('PostgreSQL 15 is the primary database.')];
    await lore(['pause', '--off']);
    await lore(['pause']);
    await lore(['pause', '--off']);
    say('Node 22 features are now available in CI.');
    await hook('SessionEnd');
    await expectKnown('Node 22 features are now available in CI.');
    const exported = join(folder, 'old.jsonl');
    writeFileSync(exported, `${[...rows, row('Tests run with pnpm vitest run.')].join('\n')}\n`);
    await lore(['import', exported]);
    await expectKnown('Node 22 features are now available in CI.', 'Tests run with pnpm vitest run.');
    writeFileSync(exported, `${row('The linter is Biome 2 with the recommended rules.')}\n`);
    const { stdout } = await lore(['import', exported], { env: { LORE_IGNORE_FOLDERS: folder } });
    expect(stdout).toContain('ignored folder');
    expect(await known()).toHaveLength(2);
  });

  it('takes a duration or every project, and reports invalid arguments', async () => {
    expect((await lore(['pause', '2h'])).stdout).toMatch(/paused in project ".+" until \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect((await lore(['pause', '--all', '1d'])).stdout).toContain('paused in every project until');
    expect((await lore(['pause', '--off'])).stdout).toContain('To end that pause: lore pause --all --off');
    expect(JSON.parse((await lore(['pause', '--all', '--off', '--json'])).stdout)).toMatchObject({ paused: false });
    expect(Object.keys(JSON.parse(readFileSync(env.LORE_CONFIG as string, 'utf8')).paused)).toHaveLength(2);
    for (const args of [['soon'], ['1h', '2h'], ['1h', '--off']]) {
      expect(await lore(['pause', ...args])).toMatchObject({ code: 2, stdout: '' });
    }
  });
});

describe('an ignored folder', () => {
  it('gets no context from hooks, and nothing is learned in it', async () => {
    await lore(['remember', 'The API gateway listens on port 8443.']);
    expect((await hook('UserPromptSubmit')).stdout).toContain('8443');
    const ignored = { LORE_IGNORE_FOLDERS: folder };
    say('Tests run with pnpm vitest run.');
    for (const event of ['SessionStart', 'UserPromptSubmit', 'SessionEnd']) {
      expect(await hook(event, ignored)).toEqual({ code: 0, stdout: '', stderr: '' });
    }
    const learned = await lore(['learn', '--json', 'PostgreSQL 15 is the primary database.'], { env: ignored });
    expect(JSON.parse(learned.stdout)).toEqual({ state: 'ignored' });
    expect(await known()).toEqual(['The API gateway listens on port 8443.']);
  });
});
