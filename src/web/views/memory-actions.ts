// What a person can do with entries. Each action is a tool with its permissions; whatever can be undone, can be undone here.
import { call } from '../core/port.ts';
import { toFailure } from '../core/use-tool.ts';
import { ask } from '../parts/dialog.tsx';
import { count } from '../parts/page.tsx';
import { perform } from '../parts/toast.tsx';

interface Entry {
  id: string;
  text: string;
  hash?: string;
  tags?: string[];
  knowledge?: string;
}

export async function forget(ids: readonly string[]): Promise<boolean> {
  const each = (undo: boolean) => inTurn(ids, (id) => call('forget', { id, undo }));
  return perform(
    `Forgot ${count(ids.length, 'memory', 'memories')}.`,
    () => each(false),
    () => each(true),
  );
}

export function restore(ids: readonly string[]): Promise<boolean> {
  return perform(`Restored ${count(ids.length, 'memory', 'memories')}.`, () =>
    inTurn(ids, (id) => call('forget', { id, undo: true })),
  );
}

export async function edit({ id, text, hash }: Entry): Promise<void> {
  const asked = { title: 'Edit', text: 'The earlier text stays in the history.', action: 'Save', draft: text };
  await write(asked, 'Saved.', (written) =>
    written === text ? Promise.resolve() : call('memory_edit', { id, text: written, hash }),
  );
}

interface Writing {
  title: string;
  text: string;
  action: string;
  draft: string;
}

/** Asks for a text and stores it. If that fails, the text stays in the form, with the reason. */
async function write(
  asked: Writing,
  done: string,
  save: (text: string) => Promise<unknown>,
  undo?: () => Promise<unknown>,
): Promise<boolean> {
  let { draft } = asked;
  for (let problem: string | undefined; ; ) {
    const written = await ask({ ...asked, draft, ...(problem !== undefined && { problem }) });
    if (written === undefined) return false;
    try {
      await save(written);
      return perform(done, async () => {}, undo);
    } catch (error) {
      const { message, hint } = toFailure(error);
      [draft, problem] = [written, hint === undefined ? message : `${message}. ${hint}`];
    }
  }
}

/** Several at once become one. Undo forgets the new memory and restores the old ones. */
export async function supersede(entries: readonly Entry[]): Promise<boolean> {
  const [first, ...others] = entries;
  const draft = entries.map(({ text }) => text).join('\n\n');
  const isMerge = others.length > 0;
  const title = isMerge ? `Merge ${entries.length} memories` : 'Supersede';
  const text = 'A new memory replaces the old text. The old one is no longer recalled, and stays readable.';
  const supersedes = entries.map(({ id }) => id);
  const tags = [...new Set(entries.flatMap((entry) => entry.tags ?? []))];
  const isSame = others.every(({ knowledge }) => knowledge === first?.knowledge);
  const given = {
    supersedes,
    source: 'dashboard',
    ...(tags.length > 0 && { tags }),
    ...(isSame && first?.knowledge !== undefined && { knowledge: first.knowledge }),
  };
  let stored: { id: string; action: string } | undefined;
  return write(
    { title, text, action: isMerge ? 'Merge' : 'Supersede', draft },
    isMerge ? `Merged ${entries.length} memories.` : 'Superseded.',
    async (content) => {
      stored = await call<{ id: string; action: string }>('remember', { content, ...given });
    },
    async () => {
      // A memory that said the same before stays.
      if (stored && stored.action !== 'merged') await call('forget', { id: stored.id });
      await inTurn(supersedes, (id) => call('forget', { id, undo: true }));
    },
  );
}

/** With one that may contradict it. */
export async function mergeWith(entry: Entry, other: string): Promise<void> {
  let whole: Entry | undefined;
  const isRead = await perform(undefined, async () => {
    ({ whole } = await call<{ whole?: Entry }>('recall', { query: other, budget_tokens: 100_000 }));
  });
  if (isRead && whole) await supersede([entry, whole]);
}

export async function add(): Promise<void> {
  const asked = {
    title: 'Add a memory',
    text: 'One statement. Agents recall it from now on.',
    action: 'Add',
    draft: '',
  };
  await write(asked, 'Added.', (content) => call('remember', { content, source: 'dashboard' }));
}

/** It is stored in the other project and forgotten here. */
export async function move(id: string): Promise<void> {
  let choices: [id: string, name: string][] = [];
  const isRead = await perform(undefined, async () => {
    const { projects } = await call<{ projects: { id: string; name: string; current: boolean }[] }>('project_list', {});
    choices = projects.filter(({ current }) => !current).map((one) => [one.id, one.name]);
  });
  if (!isRead) return;
  const isAlone = choices.length === 0;
  const text = isAlone ? 'There is no other project.' : 'Agents recall it there, and no longer here.';
  const into = await ask({ title: 'Move to another project', text, action: isAlone ? 'Close' : 'Move', choices });
  if (into === undefined || isAlone) return;
  await perform(
    'Moved.',
    () => call('memory_move', { id, into }),
    () => call('memory_move', { id, into, undo: true }),
  );
}

/** The next sync sends it; or, taken back, removes it elsewhere. */
export async function share(id: string): Promise<void> {
  const level = await ask({
    title: 'Share this memory',
    text: 'It leaves this machine at the next sync.',
    action: 'Share',
    choices: [
      ['team', 'With the team of the project'],
      ['mine', 'With your other machines'],
    ],
  });
  if (level === undefined) return;
  await perform(
    'Shared.',
    () => call('memory_share', { id, level }),
    () => unshare(id, level),
  );
}

export function makePrivate(id: string, level: string): Promise<boolean> {
  return perform('Private again.', () => unshare(id, level));
}

function unshare(id: string, level: string): Promise<unknown> {
  return call('memory_share', { id, level, undo: true });
}

export async function purge(ids: readonly string[]): Promise<boolean> {
  const sure = await ask({
    title: `Delete ${count(ids.length, 'entry', 'entries')} permanently?`,
    text: 'The text, its history and its index data are removed from the database and its backups. This cannot be undone.',
    action: 'Delete permanently',
    isDangerous: true,
    word: 'delete',
  });
  if (sure === undefined) return false;
  return perform('Deleting permanently, as an operation.', () => call('memory_purge', { ids }));
}

async function inTurn(ids: readonly string[], work: (id: string) => Promise<unknown>): Promise<void> {
  for (const id of ids) await work(id);
}
