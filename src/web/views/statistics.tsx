// Statistics: what agents used and whether it helped; what changed, by day and author; what is stored, and what could be cleaned up. Small
// pictures side by side, each with its numbers as a table.
import { call } from '../core/port.ts';
import { filter, route } from '../core/route.ts';
import { useTool } from '../core/use-tool.ts';
import { nameChange, nameUse, spell } from '../core/words.ts';
import { Choice, count, Page } from '../parts/page.tsx';
import { Shown } from '../parts/state.tsx';
import { perform } from '../parts/toast.tsx';

interface MemoryStats {
  memories: number;
  kinds: Record<string, number>;
  knowledge: Record<string, number>;
  superseded: number;
  forgotten: number;
  hygiene: {
    expired: number;
    passed: number;
    duplicates: number;
    stale: number;
    never_recalled: number;
    secrets_refused: number;
  };
}

interface DayCount {
  day: string;
  actor: string;
  action: string;
  count: number;
}

interface Activity {
  since: string;
  changes: DayCount[];
  uses: DayCount[];
}

const spans = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'A year'],
] as const;

export function Statistics() {
  const days = route.value.params.days ?? '90';
  const stats = useTool<MemoryStats>('stats', {});
  const activity = useTool<Activity>('activity', { days: Number(days) });
  return (
    <Page
      title="Statistics"
      actions={<Choice label="Span" value={days} options={spans} onChange={(value) => filter({ days: value })} />}
      isWide
    >
      <div class="content">
        <Shown state={activity}>
          {({ since, uses, changes }) => (
            <>
              <section aria-label="Given to agents">
                <h2>Given to agents</h2>
                <Pictures rows={uses} since={since} days={Number(days)} by="Uses by agent" nameOf={nameUse}>
                  No agent has been given a memory in this time. Searches by a person do not count.
                </Pictures>
                {uses.length > 0 && <Agents rows={uses} />}
              </section>
              <section aria-label="Changed">
                <h2>Changed</h2>
                <Pictures rows={changes} since={since} days={Number(days)} by="Changes by author" nameOf={nameChange}>
                  Nothing changed in this time.
                </Pictures>
              </section>
            </>
          )}
        </Shown>
        <Shown state={stats}>
          {(data) => (
            <section aria-label="Stored">
              <h2>Stored</h2>
              <div class="tiles">
                <Counts
                  title="Memories"
                  counts={{ current: data.memories, superseded: data.superseded, forgotten: data.forgotten }}
                />
                <Counts title="By knowledge" counts={data.knowledge} />
                <Counts title="By kind" counts={data.kinds} />
                <section>
                  <Counts
                    title="To clean up"
                    counts={{
                      expired: data.hygiene.expired,
                      outdated: data.hygiene.passed,
                      duplicates: data.hygiene.duplicates,
                      'citing deleted code': data.hygiene.stale,
                    }}
                  />
                  <CleanUp
                    total={data.hygiene.expired + data.hygiene.passed + data.hygiene.duplicates + data.hygiene.stale}
                  />
                </section>
                <Counts
                  title="Also"
                  counts={{
                    'never recalled': data.hygiene.never_recalled,
                    'secrets redacted': data.hygiene.secrets_refused,
                  }}
                />
              </div>
            </section>
          )}
        </Shown>
      </div>
    </Page>
  );
}

function CleanUp({ total }: { total: number }) {
  if (total === 0) return null;
  const clean = async () => {
    let undo: string | undefined;
    await perform(
      `Forgot ${count(total, 'memory', 'memories')}.`,
      async () => {
        ({ undo } = await call<{ undo?: string }>('cleanup', { dry_run: false }));
      },
      () => call('cleanup', { undo }),
    );
  };
  return (
    <button type="button" onClick={() => void clean()}>
      Forget them
    </button>
  );
}

function Counts({ title, counts }: { title: string; counts: Record<string, number> }) {
  const rows = Object.entries(counts).filter(([, number]) => number > 0);
  const most = Math.max(1, ...rows.map(([, number]) => number));
  return (
    <section>
      <h3>{title}</h3>
      <table class="bars">
        <tbody>
          {rows.map(([name, number]) => (
            <tr key={name}>
              <th scope="row">{spell(name)}</th>
              <td class="number">{number.toLocaleString('en')}</td>
              <td class="bar-cell">
                <span class="fill" style={{ width: `${(number / most) * 100}%` }} />
              </td>
            </tr>
          ))}
          {rows.length === 0 && (
            <tr>
              <td class="dim">none</td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}

const dayMs = 86_400_000;

interface PicturesProps {
  rows: readonly DayCount[];
  since: string;
  days: number;
  /** The title of the sums by author. */
  by: string;
  nameOf(action: string): string;
  /** Shown if there are no rows. */
  children: string;
}

function Pictures({ rows, since, days, by, nameOf, children }: PicturesProps) {
  const order = [...useColumns] as string[];
  const actions = [...new Set(rows.map(({ action }) => action))].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  const start = Date.parse(since);
  const byAction = actions.map((action) => {
    const counts = new Array<number>(days).fill(0);
    for (const row of rows) {
      if (row.action !== action) continue;
      const at = Math.round((Date.parse(row.day) - start) / dayMs);
      counts[at] = (counts[at] ?? 0) + row.count;
    }
    return { action, counts };
  });
  if (actions.length === 0) return <p class="dim">{children}</p>;
  return (
    <>
      <div class="tiles">
        {byAction.map(({ action, counts }) => (
          <Bars key={action} title={nameOf(action)} counts={counts} since={since} />
        ))}
      </div>
      <details>
        <summary>{by} and day, as a table</summary>
        <table>
          <thead>
            <tr>
              <th>Day</th>
              <th>Author</th>
              <th>Action</th>
              <th class="number">Entries</th>
            </tr>
          </thead>
          <tbody>
            {[...rows].reverse().map(({ day, actor, action, count }) => (
              <tr key={`${day}${actor}${action}`}>
                <td>{day}</td>
                <td>{actor}</td>
                <td>{nameOf(action)}</td>
                <td class="number">{count.toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

const useColumns = ['recalled', 'recalled_tokens', 'injected', 'injected_tokens', 'helped', 'did_not_help'] as const;

/** Sums by agent, the most active first. */
function Agents({ rows }: { rows: readonly DayCount[] }) {
  const sums = new Map<string, Record<string, number>>();
  for (const { actor, action, count } of rows) {
    const own = sums.get(actor) ?? {};
    sums.set(actor, { ...own, [action]: (own[action] ?? 0) + count });
  }
  const agents = [...sums].sort(([, a], [, b]) => (b.recalled ?? 0) - (a.recalled ?? 0));
  return (
    <table>
      <thead>
        <tr>
          <th>Agent</th>
          {useColumns.map((column) => (
            <th key={column} class="number">
              {nameUse(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {agents.map(([agent, own]) => (
          <tr key={agent}>
            <td>{agent}</td>
            {useColumns.map((column) => (
              <td key={column} class="number" data-label={nameUse(column)}>
                {(own[column] ?? 0).toLocaleString('en')}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Bars({ title, counts, since }: { title: string; counts: readonly number[]; since: string }) {
  const most = Math.max(1, ...counts);
  const total = counts.reduce((sum, number) => sum + number, 0);
  return (
    <figure>
      <figcaption>
        <strong>{total.toLocaleString('en')}</strong> {title}
      </figcaption>
      <svg class="chart" viewBox={`0 0 ${counts.length * 4} 60`} preserveAspectRatio="none" aria-hidden="true">
        {counts.map((number, at) => {
          const height = (number / most) * 56;
          return number > 0 && <rect key={at} x={at * 4} y={60 - height} width={3} height={Math.max(1.5, height)} />;
        })}
      </svg>
      <div class="axis dim">
        <span>{since}</span>
        <span>at most {most.toLocaleString('en')} a day</span>
      </div>
    </figure>
  );
}
