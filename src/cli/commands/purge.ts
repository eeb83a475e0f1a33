// lore purge

import type { App } from '../../app.ts';
import { createPlainCall, personCaller } from '../../core/call.ts';
import type { Command, Output } from '../../core/command.ts';
import { LoreError } from '../../core/error.ts';
import { countOf, inOneLine } from '../../core/text/terminal.ts';
import { followOperation } from '../../graph/operation/follow.ts';
import type { Operation } from '../../graph/operation/operation.ts';
import type { CopyState } from '../../graph/purge/copies.ts';
import { looksLikeId } from '../../graph/resolve-id.ts';
import { confirm } from '../confirm.ts';
import { readEntry, type StoredEntry } from '../entry.ts';
import { createBar } from '../follow.ts';
import { startOnce } from '../start.ts';
import { usageError } from '../usage.ts';

type Listed = Pick<StoredEntry, 'id' | 'kind' | 'text'> & { earlier?: boolean };

interface Purged {
  purged: number;
  edited: number;
  erased: boolean;
  copies: CopyState[];
}

const longestLine = 100;
const mostAtOnce = 100;
/** Shorter texts occur in other entries by chance. */
const shortestText = 12;

export const purge: Command = {
  name: 'purge',
  summary: 'Delete entries permanently, with their history, from the database and its known backups.',
  usage: '<id…|words…>',
  takesText: true,
  settings: ['read_only'],
  options: {
    history: { type: 'boolean', help: 'Delete only the texts that an entry had before it was edited' },
    finish: { type: 'boolean', help: 'Finish an earlier purge that failed, and delete nothing else' },
    yes: { type: 'boolean', help: 'Do not ask for confirmation' },
  },
  examples: [
    ['lore purge n_mwiczb6s4', 'one entry'],
    ['lore purge "Zebra-Lamp-42"', 'every entry of this project that contains these words'],
    ['lore purge n_mwiczb6s4 --history', 'the texts it had before it was edited'],
  ],
  async run({ words, options, flags, output }) {
    const isFinish = options.finish === true;
    if (words.length === 0 && !isFinish) throw usageError(purge, 'Missing argument <id…|words…>');
    const app = await startOnce({ flags });
    try {
      const found = isFinish ? [] : await findEntries(app, words);
      // If only an earlier version matches, only the history of the entry is purged.
      const [past, whole] = [true, false].map((is) =>
        found.filter(({ earlier }) => (options.history === true || earlier === true) === is),
      ) as [Listed[], Listed[]];
      if (!isFinish) {
        if (!output.json) list(whole, past, await findOthers(app, words, { whole, past }), output);
        const parts = [
          whole.length > 0 && countOf(whole.length, 'entry', 'entries'),
          past.length > 0 && `earlier texts of ${countOf(past.length, 'entry', 'entries')}`,
        ].filter(Boolean);
        if (options.yes !== true && !(await confirm(`Purge ${parts.join(' and ')}? This cannot be undone.`))) return 1;
      }
      const result = await perform(app, whole, past);
      if (output.json) output.printJson(result);
      else output.print(describe(result));
      return result.erased && result.copies.every(({ cleaned }) => cleaned) ? 0 : 1;
    } finally {
      await app.stop();
    }
  },
};

/** Only ids of entries that can be purged: words like db_password look like ids, too. */
function isEntryId(word: string): boolean {
  return looksLikeId(word) && /^(?:n|cp|rem|com)_/.test(word);
}

async function findEntries(app: App, words: readonly string[]): Promise<Listed[]> {
  if (words.every(isEntryId)) return Promise.all(words.map((id) => readEntry(app, id, { explain: true })));
  const text = words.join(' ');
  const entries = await findContaining(app, text, true);
  if (entries.length > 0) return entries;
  const others = await findContaining(app, text);
  const state =
    others.length === 0
      ? 'no entry of this project contains these words'
      : 'only entries that cannot be purged contain these words';
  throw new LoreError('not_found', `Cannot purge "${text}": ${state}`, {
    ...(others.length > 0 && { hint: nameEntries(others) }),
  });
}

async function findContaining({ registry }: App, text: string, purgeable = false): Promise<Listed[]> {
  const args = { text: text.slice(0, 20_000), limit: mostAtOnce, purgeable };
  const { structured } = await registry.call('memory_holding', args, createPlainCall(personCaller));
  return (structured as { entries: Listed[] }).entries;
}

/** Entries that are not purged but contain the words or the text of one that is. */
async function findOthers(
  app: App,
  words: readonly string[],
  { whole, past }: { whole: readonly Listed[]; past: readonly Listed[] },
): Promise<Listed[]> {
  const others = new Map<string, Listed>();
  const texts = whole
    .slice(0, 10)
    .map(({ text }) => text)
    .filter((text) => text.length >= shortestText);
  if (!words.every(isEntryId)) texts.push(words.join(' '));
  for (const text of texts) for (const other of await findContaining(app, text)) others.set(other.id, other);
  for (const { id } of [...whole, ...past]) others.delete(id);
  return [...others.values()];
}

function list(whole: readonly Listed[], past: readonly Listed[], others: readonly Listed[], output: Output): void {
  const describeEntry = ({ id, kind, text }: Listed, note = '') =>
    output.note(`${id}  ${kind}${note}  ${inOneLine(text).slice(0, longestLine)}`);
  for (const entry of whole) describeEntry(entry);
  for (const entry of past) describeEntry(entry, ', earlier texts only');
  if (whole.length + past.length === mostAtOnce)
    output.note(`These are the first ${mostAtOnce}; run it again for the rest.`);
  if (others.length > 0) {
    output.note(`Not deleted, although they contain the same text: ${nameEntries(others)}`);
  }
}

function nameEntries(entries: readonly Listed[]): string {
  return entries.map(({ id, kind }) => `${id} (${kind})`).join(', ');
}

async function perform(app: App, whole: readonly Listed[], past: readonly Listed[]): Promise<Purged> {
  const args = { ids: whole.map(({ id }) => id), earlier_ids: past.map(({ id }) => id) };
  const { structured } = await app.registry.call('memory_purge', args, createPlainCall(personCaller));
  const { operations } = structured as { operations: string[] };
  const opened = await app.graph.open();
  const bar = createBar();
  let last: Operation | undefined;
  // If another process died during one, it is resumed after its lease expires.
  for (const id of operations) {
    last = await followOperation(opened, id, ({ done, total, message }) => bar.show(done, total, message));
  }
  bar.clear();
  if (last?.state === 'done') return last.result as Purged;
  throw new LoreError('unavailable', `Cannot finish purging: ${last?.problem ?? `the job is ${last?.state}`}`, {
    hint: 'The entries may be gone from the database but not from its file. Try again with lore purge --finish.',
  });
}

function describe({ purged, edited, erased, copies }: Purged): string {
  const left = copies.filter(({ cleaned }) => !cleaned);
  const cleaned = copies.length - left.length;
  const what = [
    ...(purged > 0 ? [countOf(purged, 'entry', 'entries')] : []),
    ...(edited > 0 ? [`the earlier texts of ${countOf(edited, 'entry', 'entries')}`] : []),
  ].join(' and ');
  const where = `the database${cleaned > 0 ? ` and ${countOf(cleaned, 'backup')}` : ''}`;
  return [
    what === '' ? `Cleaned ${where}.` : `Purged ${what} from ${where}.`,
    ...(erased
      ? []
      : [
          'The database log still contains the text, because another process is reading it. Run lore purge --finish later.',
        ]),
    ...left.map(({ path, problem }) => `Not cleaned: ${path}: ${problem}`),
  ].join('\n');
}
