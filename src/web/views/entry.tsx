// One entry in full: its text, state, provenance, links and history with the differences between its versions.
import { useEffect } from 'preact/hooks';
import { onKeys } from '../core/keys.ts';
import { link } from '../core/route.ts';
import { useTool } from '../core/use-tool.ts';
import { isPerson } from '../core/visitor.ts';
import { nameChange, spell } from '../core/words.ts';
import { Diff } from '../parts/diff.tsx';
import { Menu } from '../parts/menu.tsx';
import { Badge, Facts } from '../parts/page.tsx';
import { Detail } from '../parts/split.tsx';
import { Shown } from '../parts/state.tsx';
import { EntryText } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { edit, forget, makePrivate, mergeWith, move, purge, restore, share, supersede } from './memory-actions.ts';

export interface EntryView {
  id: string;
  kind: string;
  title?: string;
  text: string;
  length: number;
  hash: string;
  project: string;
  source?: string;
  tags?: string[];
  knowledge?: string;
  importance: number;
  created: string;
  updated: string;
  expires?: string;
  superseded_by?: string;
  forgotten?: string;
  shared?: 'mine' | 'team';
  citations?: { path: string; state: string }[];
  links: { kind: string; id: string; from: boolean; text: string }[];
  history: { at: string; actor: string; action: string; before?: string }[];
}

export function EntryDetail({ id }: { id: string }) {
  const state = useTool<{ whole?: EntryView }>('recall', { query: id, explain: true, budget_tokens: 100_000 });
  const entry = state.data?.whole;
  useEffect(() => {
    if (!entry) return;
    return onKeys({
      e: () => void edit(entry),
      s: () => void supersede([entry]),
      '#': () => void (entry.forgotten === undefined ? forget([entry.id]) : restore([entry.id])),
    });
  }, [entry]);
  return (
    <Detail label="Entry" actions={entry && <Actions entry={entry} />}>
      <Shown state={state}>{({ whole }) => whole && <Body entry={whole} />}</Shown>
    </Detail>
  );
}

function Actions({ entry }: { entry: EntryView }) {
  const { id, kind, forgotten, shared } = entry;
  const isEditable = isPerson.value && (kind === 'memory' || kind === 'checkpoint');
  const isMemory = kind === 'memory' && forgotten === undefined;
  const further = [
    isMemory && isPerson.value && ['Move to another project', () => move(id)],
    isMemory &&
      isPerson.value &&
      (shared ? ['Make private', () => makePrivate(id, shared)] : ['Share', () => share(id)]),
    isEditable && ['Delete permanently', () => purge([id])],
  ].filter((one) => one !== false) as [name: string, act: () => unknown][];
  return (
    <>
      {forgotten !== undefined && (
        <button type="button" class="primary" onClick={() => void restore([id])}>
          Restore
        </button>
      )}
      {isEditable && forgotten === undefined && (
        <button type="button" title="Correct the text (e)" onClick={() => void edit(entry)}>
          Edit
        </button>
      )}
      {isMemory && (
        <>
          <button type="button" title="Replace it by a newer statement (s)" onClick={() => void supersede([entry])}>
            Supersede
          </button>
          <button type="button" title="Stop recalling it; can be undone (#)" onClick={() => void forget([id])}>
            Forget
          </button>
        </>
      )}
      {further.length > 0 && <Menu label="More actions" actions={further} />}
    </>
  );
}

function Body({ entry }: { entry: EntryView }) {
  const disagreeing = entry.links.filter(({ kind }) => kind === 'may_disagree');
  const others = entry.links.filter(({ kind }) => kind !== 'may_disagree');
  return (
    <div class="body">
      {entry.title !== undefined && entry.title !== '' && <h2>{entry.title}</h2>}
      <EntryText text={entry.text} />
      {entry.length > entry.text.length && (
        <p class="dim">The text is longer; lore show {entry.id} prints all of it.</p>
      )}
      <State entry={entry} />
      {disagreeing.length > 0 && <Disagreeing entry={entry} links={disagreeing} />}
      <Facts
        facts={[
          ['Kind', [entry.kind, entry.knowledge].filter(Boolean).join(', ')],
          ['Source', entry.source],
          ['Tags', entry.tags?.map((tag) => `#${tag}`).join(' ')],
          ['Shared', entry.shared && (entry.shared === 'team' ? 'with the team' : 'with your other machines')],
          ['Importance', entry.importance.toFixed(2)],
          ['Stored', <Time key="stored" at={entry.created} />],
          ['Changed', entry.updated !== entry.created && <Time key="changed" at={entry.updated} />],
          ['Expires', entry.expires !== undefined && <Time key="expires" at={entry.expires} />],
          ['Id', <code key="id">{entry.id}</code>],
        ]}
      />
      {entry.citations !== undefined && entry.citations.length > 0 && (
        <section>
          <h3>Cites</h3>
          <ul class="plain">
            {entry.citations.map(({ path, state }) => (
              <li key={path}>
                <code>{path}</code>{' '}
                {state !== 'fresh' && <Badge tone="warn">{state === 'gone' ? 'gone' : 'changed'}</Badge>}
              </li>
            ))}
          </ul>
        </section>
      )}
      {others.length > 0 && <Links title="Related" links={others} />}
      <p>
        <a href={link('graph', entry.id)}>Show the graph around it</a>
      </p>
      <History entry={entry} />
    </div>
  );
}

function Disagreeing({ entry, links }: { entry: EntryView; links: EntryView['links'] }) {
  const mayMerge = entry.forgotten === undefined && entry.superseded_by === undefined;
  return (
    <section class="notice warn">
      <h3>May contradict</h3>
      <ul class="plain">
        {links.map(({ id, text }) => (
          <li key={id} class="with-action">
            <a href={link('memories', id)}>{text}</a>
            {mayMerge && (
              <button type="button" onClick={() => void mergeWith(entry, id)}>
                Merge
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function State({ entry }: { entry: EntryView }) {
  if (entry.forgotten !== undefined) {
    return (
      <p class="notice">
        Forgotten <Time at={entry.forgotten} />: agents no longer recall it.
      </p>
    );
  }
  if (entry.superseded_by === undefined) return null;
  return (
    <p class="notice">
      Superseded by <a href={link('memories', entry.superseded_by)}>a newer memory</a>: agents no longer recall it.
    </p>
  );
}

function Links({ title, links }: { title: string; links: EntryView['links'] }) {
  return (
    <section>
      <h3>{title}</h3>
      <ul class="plain">
        {links.map(({ id, kind, text, from }) => (
          <li key={`${kind}${id}`}>
            <span class="dim">{from ? `${spell(kind)} ` : `← ${spell(kind)} `}</span>
            <a href={link('memories', id)}>{text}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function History({ entry: { history, text } }: { entry: EntryView }) {
  const newestFirst = history.map((change, at) => ({ ...change, after: textAfter(history, at, text) })).reverse();
  return (
    <section>
      <h3>History</h3>
      <ol class="plain history">
        {newestFirst.map(({ at, actor, action, before, after }) => (
          <li key={`${at}${action}`}>
            <strong>{nameChange(action)}</strong> by {actor} <Time at={at} />
            {before !== undefined && before !== after && <Diff before={before} after={after} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The text that a change produced: the one that the next change of the text replaced. */
function textAfter(history: EntryView['history'], at: number, text: string): string {
  return history.slice(at + 1).find(({ before }) => before !== undefined)?.before ?? text;
}
