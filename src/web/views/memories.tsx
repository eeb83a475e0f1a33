// Memories: the newest, or the answer to a question as an agent would get it, with the reasons. The chosen one is beside the
// list where there is room, else instead of it.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { onKeys } from '../core/keys.ts';
import { filter, link, route } from '../core/route.ts';
import { usePages } from '../core/use-tool.ts';
import { isPerson } from '../core/visitor.ts';
import { Badge, Choice, count, Page } from '../parts/page.tsx';
import { currentRow, EntryList, Split } from '../parts/split.tsx';
import { Empty } from '../parts/state.tsx';
import { Marked, oneLine } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { EntryDetail } from './entry.tsx';
import { add, forget, purge, supersede } from './memory-actions.ts';

interface Memory {
  id: string;
  text: string;
  kind: string;
  knowledge: string;
  created: string;
  tags?: string[];
  source?: string;
  expires?: string;
  project_name?: string;
  project?: string;
  score?: number;
  state?: 'fresh' | 'stale' | 'gone';
  why?: string;
  may_be_outdated_by?: string;
}

interface MemoryPage {
  memories: Memory[];
  nearest?: { id: string; text: string };
  time?: string;
  next_cursor?: string;
}

const kinds = [
  ['', 'All'],
  ['semantic', 'Facts'],
  ['procedural', 'How-to'],
  ['preference', 'Preferences'],
  ['episodic', 'Events'],
] as const;

const selected = signal<ReadonlySet<string>>(new Set());

export function Memories() {
  const { id, params } = route.value;
  const { q: query = '', kind = '', user = '', as_of: asOf = '' } = params;
  const common = { ...(kind !== '' && { kinds: [kind] }), user: user === '1', budget_tokens: 100_000 };
  const question = { query, limit: 50, explain: true, rank: 'fast', ...(asOf !== '' && { as_of: asOf }), ...common };
  const isQuestion = query !== '';
  const pages = usePages<MemoryPage, Memory>(
    isQuestion ? 'recall' : 'recent',
    isQuestion ? question : { limit: 100, ...common },
    ({ memories }) => memories,
    (uri) => uri.startsWith('lore://memory') || uri === 'lore://recent',
  );
  const { items } = pages;
  const nearest = (pages.first as MemoryPage | undefined)?.nearest;
  useKeys();
  const list = (
    <Page
      title="Memories"
      note={describe(items.length, pages.hasMore, isQuestion)}
      actions={
        <button type="button" onClick={() => void add()} title="Add a memory (n)">
          Add
        </button>
      }
    >
      <div class="filters">
        <Choice label="Kind" value={kind} options={kinds} onChange={(value) => filter({ kind: value })} />
        <Choice
          label="Whose"
          value={user}
          options={[
            ['', 'Project'],
            ['1', 'About you'],
          ]}
          onChange={(value) => filter({ user: value })}
        />
        {isQuestion && (
          <label class="inline">
            Known on{' '}
            <input type="date" value={asOf} onInput={(event) => filter({ as_of: event.currentTarget.value })} />
          </label>
        )}
      </div>
      <EntryList
        label="Memories"
        pages={pages}
        rowRem={items.some(({ why }) => why !== undefined) ? 4.75 : 3.5}
        mark={({ id, text }) => <Tick id={id} text={text} />}
        row={(memory) => <MemoryRow memory={memory} query={query} />}
        empty={<Nothing query={query} nearest={nearest} />}
      />
      <Bulk memories={items} />
    </Page>
  );
  return <Split list={list}>{id !== '' && <EntryDetail id={id} />}</Split>;
}

/** Beside the keys of the list. The newest layer is asked first, so Escape clears a selection before it leaves the entry. */
function useKeys(): void {
  const hasSelection = selected.value.size > 0;
  useEffect(() => {
    const withCurrent = (work: (id: string) => void) => () => {
      const current = currentRow();
      if (current !== undefined) work(current);
    };
    return onKeys({
      x: withCurrent(toggle),
      '#': withCurrent((id) => void remove(selected.value.size > 0 ? [...selected.value] : [id])),
      n: () => void add(),
      ...(hasSelection && { Escape: clear }),
    });
  }, [hasSelection]);
}

function Tick({ id, text }: { id: string; text: string }) {
  return (
    <input
      class="tick"
      type="checkbox"
      aria-label={`Select: ${oneLine(text, 60)}`}
      checked={selected.value.has(id)}
      onChange={() => toggle(id)}
    />
  );
}

function describe(length: number, hasMore: boolean, isQuestion: boolean): string {
  if (length === 0) return '';
  return `${isQuestion ? '' : 'newest '}${hasMore ? `${length.toLocaleString('en')}+` : length.toLocaleString('en')}`;
}

function MemoryRow({ memory, query }: { memory: Memory; query: string }) {
  const { text, kind, knowledge, created, tags = [], source, state, why, may_be_outdated_by: newer } = memory;
  return (
    <>
      <span class="line">
        <Marked text={oneLine(text)} query={query} />
      </span>
      <span class="meta">
        <Badge tone={knowledge}>{knowledge === 'note' ? kind : knowledge}</Badge>
        <Time at={created} />
        {source !== undefined && <span>{oneLine(source, 40)}</span>}
        {tags.slice(0, 4).map((tag) => (
          <span key={tag}>#{tag}</span>
        ))}
        {state === 'stale' && <Badge tone="warn">cited code changed</Badge>}
        {state === 'gone' && <Badge tone="warn">cited code is gone</Badge>}
        {newer !== undefined && <Badge tone="warn">may be outdated</Badge>}
        {memory.project === 'user' ? <span>about you</span> : memory.project_name && <span>{memory.project_name}</span>}
      </span>
      {why !== undefined && (
        <span class="meta why" title="Why it was recalled">
          <meter min={0} max={1} value={memory.score ?? 0} aria-label="Score" />
          {(memory.score ?? 0).toFixed(2)} · {why}
        </span>
      )}
    </>
  );
}

function Nothing({ query, nearest }: { query: string; nearest: MemoryPage['nearest'] }) {
  if (query === '') {
    return (
      <Empty title="Nothing is known about this project yet" command="lore install claude-code">
        <p>
          Agents store what they learn here, and recall it in later sessions. Connect one, or add a memory yourself.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No memory is relevant to this">
      <p>An agent that asks this gets no memory either, so nothing irrelevant fills its context.</p>
      {nearest && (
        <p>
          The nearest one: <a href={link('memories', nearest.id)}>{nearest.text}</a>
        </p>
      )}
    </Empty>
  );
}

function Bulk({ memories }: { memories: readonly Memory[] }) {
  const ids = [...selected.value];
  if (ids.length === 0) return null;
  const chosen = memories.filter(({ id }) => selected.value.has(id));
  return (
    <div class="bulk" role="toolbar" aria-label="Selected memories">
      <span>{count(ids.length, 'memory', 'memories')} selected</span>
      <span class="gap" />
      {chosen.length > 1 && (
        <button type="button" onClick={() => void supersede(chosen).then((done) => done && clear())}>
          Merge
        </button>
      )}
      <button type="button" onClick={() => void remove(ids)}>
        Forget
      </button>
      {isPerson.value && (
        <button type="button" class="danger" onClick={() => void purge(ids).then((done) => done && clear())}>
          Purge
        </button>
      )}
      <button type="button" onClick={clear}>
        Clear
      </button>
    </div>
  );
}

async function remove(ids: readonly string[]): Promise<void> {
  if (ids.length > 0 && (await forget(ids))) clear();
}

function toggle(id: string): void {
  const next = new Set(selected.value);
  if (!next.delete(id)) next.add(id);
  selected.value = next;
}

function clear(): void {
  selected.value = new Set();
}
