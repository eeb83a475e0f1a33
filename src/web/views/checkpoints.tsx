// Checkpoints: where work was left, and what changed since.
import { link, route } from '../core/route.ts';
import { usePages, useTool } from '../core/use-tool.ts';
import { Badge, count, Facts, Page } from '../parts/page.tsx';
import { Detail, EntryList, Split } from '../parts/split.tsx';
import { Empty, Shown } from '../parts/state.tsx';
import { EntryText, oneLine } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';

interface Checkpoint {
  id: string;
  name: string;
  summary: string;
  created: string;
  branch?: string;
  commit?: string;
}

interface ResumedCheckpoint extends Checkpoint {
  content?: string;
  memories: { id: string; text: string }[];
  since: {
    files: { path: string; state: 'changed' | 'gone' }[];
    more: number;
    branch?: { was: string; now: string };
    commits?: number;
    memories: { id: string; text: string; state: string; by?: string }[];
  };
}

export function Checkpoints() {
  const { id, params } = route.value;
  const query = params.q ?? '';
  const pages = usePages<{ checkpoints: Checkpoint[]; next_cursor?: string }, Checkpoint>(
    query === '' ? 'checkpoint_list' : 'checkpoint_search',
    query === '' ? { limit: 100 } : { query, limit: 50, rank: 'fast' },
    ({ checkpoints }) => checkpoints,
  );
  const list = (
    <Page title="Checkpoints">
      <EntryList
        label="Checkpoints"
        pages={pages}
        rowRem={3.5}
        row={({ name, summary, created, branch }) => (
          <>
            <span class="line">
              <strong>{name}</strong> {oneLine(summary)}
            </span>
            <span class="meta">
              <Time at={created} />
              {branch !== undefined && <span>{branch}</span>}
            </span>
          </>
        )}
        empty={
          <Empty title="No checkpoint" command="lore checkpoint save --content 'What is done, what is next'">
            <p>
              A checkpoint is the state of a piece of work. An agent saves one before its context is full, and resumes
              it later.
            </p>
          </Empty>
        }
      />
    </Page>
  );
  return <Split list={list}>{id !== '' && <Resumed id={id} />}</Split>;
}

function Resumed({ id }: { id: string }) {
  const state = useTool<ResumedCheckpoint>('checkpoint_resume', { id, level: 'full' });
  return (
    <Detail label="Checkpoint">
      <Shown state={state}>
        {(checkpoint) => (
          <div class="body">
            <h2>{checkpoint.name}</h2>
            <Since since={checkpoint.since} />
            <EntryText text={checkpoint.content ?? checkpoint.summary} />
            {checkpoint.memories.length > 0 && (
              <section>
                <h3>Memories of then</h3>
                <ul class="plain">
                  {checkpoint.memories.map((memory) => (
                    <li key={memory.id}>
                      <a href={link('memories', memory.id)}>{oneLine(memory.text, 160)}</a>
                    </li>
                  ))}
                </ul>
              </section>
            )}
            <Facts
              facts={[
                ['Saved', <Time key="saved" at={checkpoint.created} />],
                ['Branch', checkpoint.branch],
                ['Commit', checkpoint.commit && <code key="commit">{checkpoint.commit.slice(0, 12)}</code>],
                [
                  'Id',
                  <a key="id" href={link('timeline', checkpoint.id)}>
                    {checkpoint.id}
                  </a>,
                ],
              ]}
            />
          </div>
        )}
      </Shown>
    </Detail>
  );
}

function Since({ since }: { since: ResumedCheckpoint['since'] }) {
  const isSame = since.files.length === 0 && since.memories.length === 0 && !since.branch && !since.commits;
  if (isSame) return <p class="notice">Nothing it refers to has changed since.</p>;
  return (
    <section class="notice">
      <h3>Changed since</h3>
      <ul class="plain">
        {since.branch && (
          <li>
            Branch {since.branch.was} → {since.branch.now}
          </li>
        )}
        {since.commits !== undefined && since.commits > 0 && <li>{count(since.commits, 'commit')}</li>}
        {since.files.map(({ path, state }) => (
          <li key={path}>
            <code>{path}</code> {state === 'gone' && <Badge tone="warn">gone</Badge>}
          </li>
        ))}
        {since.more > 0 && <li class="dim">and {count(since.more, 'more file')}</li>}
        {since.memories.map(({ id, text, state, by }) => (
          <li key={id}>
            <Badge tone="warn">{state}</Badge> <a href={link('memories', by ?? id)}>{oneLine(text, 120)}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
