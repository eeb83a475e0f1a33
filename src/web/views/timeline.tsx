// Timeline: everything that was stored, in every state, by day; the place to find what was forgotten.
import { filter, link, route } from '../core/route.ts';
import { usePages } from '../core/use-tool.ts';
import { Badge, Choice, Page } from '../parts/page.tsx';
import { Empty, Failed, Loading } from '../parts/state.tsx';
import { oneLine } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { EntryDetail } from './entry.tsx';

interface TimelineEntry {
  id: string;
  kind: string;
  title?: string;
  text: string;
  knowledge?: string;
  source?: string;
  created: string;
  superseded_by?: string;
  forgotten?: string;
}

const states = [
  ['all', 'All'],
  ['current', 'Current'],
  ['superseded', 'Superseded'],
  ['forgotten', 'Forgotten'],
] as const;

const kinds = [
  ['', 'Everything'],
  ['memory', 'Memories'],
  ['checkpoint', 'Checkpoints'],
  ['remediation', 'Fixes'],
  ['commit', 'Commits'],
] as const;

export function Timeline() {
  const { id, params } = route.value;
  const { state = 'all', kind = '' } = params;
  const pages = usePages<{ entries: TimelineEntry[]; next_cursor?: string }, TimelineEntry>(
    'entry_list',
    { state, ...(kind !== '' && { kinds: [kind] }), limit: 200 },
    ({ entries }) => entries,
  );
  return (
    <div class={id === '' ? 'split' : 'split open'}>
      <Page title="Timeline">
        <div class="filters">
          <Choice label="State" value={state} options={states} onChange={(value) => filter({ state: value })} />
          <Choice label="Kind" value={kind} options={kinds} onChange={(value) => filter({ kind: value })} />
        </div>
        {pages.failure && <Failed failure={pages.failure} />}
        {pages.items.length === 0 && pages.isLoading && <Loading />}
        {pages.items.length === 0 && !pages.isLoading && !pages.failure && (
          <Empty title={state === 'forgotten' ? 'Nothing is forgotten' : 'Nothing happened here yet'}>
            <p>What agents store, supersede and forget appears here, and a forgotten entry can be restored.</p>
          </Empty>
        )}
        {pages.items.length > 0 && (
          <VirtualList
            label="Entries"
            items={pages.items}
            keyOf={(item) => item.id}
            rowRem={3.5}
            activeKey={id}
            onEnd={pages.more}
            row={(entry) => <TimelineRow entry={entry} />}
          />
        )}
      </Page>
      {id !== '' && <EntryDetail id={id} back={link('timeline', '', params)} />}
    </div>
  );
}

function TimelineRow({ entry }: { entry: TimelineEntry }) {
  const { id, kind, title, text, knowledge, created, source, forgotten, superseded_by: newer } = entry;
  return (
    <a href={link('timeline', id, route.value.params)} class={forgotten || newer ? 'past' : ''}>
      <span class="line">{oneLine(title || text)}</span>
      <span class="meta">
        <Badge>{kind === 'memory' ? (knowledge ?? kind) : kind === 'remediation' ? 'fix' : kind}</Badge>
        <Time at={created} />
        {source !== undefined && <span>{oneLine(source, 40)}</span>}
        {newer !== undefined && <Badge tone="warn">superseded</Badge>}
        {forgotten !== undefined && <Badge tone="warn">forgotten</Badge>}
      </span>
    </a>
  );
}
