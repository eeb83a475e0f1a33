// What a person can do with entries. Each action is a tool with its permissions; whatever can be undone, can be undone here.
import { call } from '../core/port.ts';
import { ask } from '../parts/dialog.tsx';
import { count } from '../parts/page.tsx';
import { perform } from '../parts/toast.tsx';

interface Entry {
  id: string;
  text: string;
  hash?: string;
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
  const written = await ask({
    title: 'Edit',
    text: 'The earlier text stays in the history.',
    action: 'Save',
    draft: text,
  });
  if (written === undefined || written === text) return;
  await perform('Saved.', () => call('memory_edit', { id, text: written, hash }));
}

/** Several at once become one. */
export async function supersede(entries: readonly Entry[]): Promise<void> {
  const draft = entries.map(({ text }) => text).join('\n\n');
  const title = entries.length === 1 ? 'Supersede' : `Merge ${entries.length} memories`;
  const text = 'A new memory replaces the old text. The old one is no longer recalled, and stays readable.';
  const content = await ask({ title, text, action: entries.length === 1 ? 'Supersede' : 'Merge', draft });
  if (content === undefined) return;
  const ids = entries.map(({ id }) => id);
  await perform('Superseded.', () => call('remember', { content, supersedes: ids, source: 'dashboard' }));
}

export async function add(): Promise<void> {
  const content = await ask({
    title: 'Add a memory',
    text: 'One statement. Agents recall it from now on.',
    action: 'Add',
    draft: '',
  });
  if (content !== undefined) await perform('Added.', () => call('remember', { content, source: 'dashboard' }));
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
