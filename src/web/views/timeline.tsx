// Timeline: everything that was stored, in every state, by day; the place to find what was forgotten.
import { filter, route } from '../core/route.ts';
import { usePages } from '../core/use-tool.ts';
import { isPerson } from '../core/visitor.ts';
import { Badge, Choice, Page } from '../parts/page.tsx';
import { EntryList, Split } from '../parts/split.tsx';
import { Empty } from '../parts/state.tsx';
import { Marked, oneLine } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
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
  const { state = isPerson.value ? 'all' : 'current', kind = '' } = params;
  const pages = usePages<{ entries: TimelineEntry[]; next_cursor?: string }, TimelineEntry>(
    'entry_list',
    { state, ...(kind !== '' && { kinds: [kind] }), limit: 200 },
    ({ entries }) => entries,
  );
  const list = (
    <Page title="Timeline">
      <div class="filters">
        {/* An agent's page does not see what was forgotten. */}
        {isPerson.value && (
          <Choice label="State" value={state} options={states} onChange={(value) => filter({ state: value })} />
        )}
        <Choice label="Kind" value={kind} options={kinds} onChange={(value) => filter({ kind: value })} />
      </div>
      <EntryList
        label="Entries"
        pages={pages}
        rowRem={3.5}
        row={(entry) => <TimelineRow entry={entry} />}
        empty={
          <Empty title={state === 'forgotten' ? 'Nothing is forgotten' : 'Nothing happened here yet'}>
            <p>What agents store, supersede and forget appears here, and a forgotten entry can be restored.</p>
          </Empty>
        }
      />
    </Page>
  );
  return <Split list={list}>{id !== '' && <EntryDetail id={id} />}</Split>;
}

function TimelineRow({ entry }: { entry: TimelineEntry }) {
  const { kind, title, text, knowledge, created, source, forgotten, superseded_by: newer } = entry;
  return (
    <span class={forgotten || newer ? 'past' : ''}>
      <span class="line">
        <Marked text={oneLine(kind === 'remediation' ? text : title || text)} query="" />
      </span>
      <span class="meta">
        <Badge>{kind === 'memory' ? (knowledge ?? kind) : kind === 'remediation' ? 'fix' : kind}</Badge>
        <Time at={created} />
        {source !== undefined && <span>{oneLine(source, 40)}</span>}
        {newer !== undefined && <Badge tone="warn">superseded</Badge>}
        {forgotten !== undefined && <Badge tone="warn">forgotten</Badge>}
      </span>
    </span>
  );
}
