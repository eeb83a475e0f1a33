// Fixes: errors and what solved them. The search takes an error message, as troubleshoot does.
import { call } from '../core/port.ts';
import { link, route } from '../core/route.ts';
import { usePages, useTool } from '../core/use-tool.ts';
import { count, Page } from '../parts/page.tsx';
import { Empty, Failed, Loading, Shown } from '../parts/state.tsx';
import { EntryText, oneLine } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { perform } from '../parts/toast.tsx';

interface Fix {
  id: string;
  error: string;
  solution: string;
  root_cause?: string;
  created: string;
  seen: number;
  helpful: number;
  unhelpful: number;
}

export function Fixes() {
  const query = route.value.params.q ?? '';
  return (
    <Page title="Fixes" note={query === '' ? undefined : `for “${oneLine(query, 60)}”`}>
      <div class="content">{query === '' ? <Newest /> : <Found error={query} />}</div>
    </Page>
  );
}

function Newest() {
  const pages = usePages<{ remediations: Fix[]; next_cursor?: string }, Fix>(
    'remediation_list',
    { limit: 50 },
    ({ remediations }) => remediations,
  );
  if (pages.failure) return <Failed failure={pages.failure} />;
  if (pages.items.length === 0 && pages.isLoading) return <Loading />;
  if (pages.items.length === 0) {
    return (
      <Empty title="No fix is known yet" command="lore remediation save --error-msg '…' --solution '…'">
        <p>When an agent solves an error it saves the fix. If the error returns, the fix is offered.</p>
      </Empty>
    );
  }
  return (
    <>
      <ul class="cards">
        {pages.items.map((fix) => (
          <FixCard key={fix.id} fix={fix} onRated={pages.reload} />
        ))}
      </ul>
      {pages.hasMore && (
        <button type="button" onClick={pages.more}>
          Show more
        </button>
      )}
    </>
  );
}

function Found({ error }: { error: string }) {
  const state = useTool<{ remediations: Fix[] }>('remediation_search', { error_msg: error, limit: 10 });
  return (
    <Shown state={state}>
      {({ remediations }) =>
        remediations.length === 0 ? (
          <Empty title="No known fix for this error">
            <p>Paste the whole message: numbers, paths and times in it do not matter.</p>
          </Empty>
        ) : (
          <ul class="cards">
            {remediations.map((fix) => (
              <FixCard key={fix.id} fix={fix} onRated={state.reload} />
            ))}
          </ul>
        )
      }
    </Shown>
  );
}

function FixCard({ fix, onRated }: { fix: Fix; onRated(): void }) {
  const rate = (helpful: boolean) =>
    perform('Noted: it is ranked accordingly.', () => call('remediation_feedback', { id: fix.id, helpful })).then(
      onRated,
    );
  return (
    <li>
      <a href={link('timeline', fix.id)}>
        <strong>{oneLine(fix.error, 200)}</strong>
      </a>
      <EntryText text={fix.solution} />
      {fix.root_cause !== undefined && <p class="dim">Cause: {fix.root_cause}</p>}
      <span class="meta">
        <Time at={fix.created} />
        <span>
          seen {count(fix.seen, 'time')}, helped {fix.helpful}, did not help {fix.unhelpful}
        </span>
      </span>
      <span class="actions">
        <button type="button" onClick={() => void rate(true)}>
          It helped
        </button>
        <button type="button" onClick={() => void rate(false)}>
          It did not
        </button>
      </span>
    </li>
  );
}
