// Operations: background jobs with their progress, and the state of the server.
import { useEffect } from 'preact/hooks';
import { call } from '../core/port.ts';
import { useTool } from '../core/use-tool.ts';
import { spell } from '../core/words.ts';
import { Badge, count, Facts, Page } from '../parts/page.tsx';
import { Failed, Shown } from '../parts/state.tsx';
import { Time } from '../parts/time.tsx';
import { perform } from '../parts/toast.tsx';

interface Operation {
  id: string;
  kind: string;
  state: string;
  done: number;
  total?: number;
  message?: string;
  problem?: string;
  updated: string;
}

interface ServerStatus {
  version: string;
  uptimeSeconds: number;
  services: { id: string; title: string; state: string; tools: number; problem?: string }[];
  store: { engine: string; location: string; nodes?: number; problem?: string };
  operations: Operation[];
  learning?: string;
}

/** Operations of derived data report no change; while somebody looks, a new one appears soon, and its progress sooner. */
const idleMs = 2_000;
const busyMs = 500;

export function Operations() {
  const state = useTool<ServerStatus>('status', { limit: 50 });
  const isBusy = state.data?.operations.some(({ state }) => state === 'running' || state === 'queued') ?? false;
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && state.reload();
    const timer = setInterval(look, isBusy ? busyMs : idleMs);
    return () => clearInterval(timer);
  }, [isBusy]);
  return (
    <Page title="Operations">
      <div class="content">
        <Shown state={state}>
          {(status) => (
            <>
              {status.store.problem !== undefined && <Failed failure={{ message: status.store.problem }} />}
              <section aria-label="Latest operations">
                {status.operations.length === 0 ? (
                  <p class="dim">
                    No background job has run in this project. Indexing, ingesting and purging are such jobs.
                  </p>
                ) : (
                  <ul class="cards">
                    {status.operations.map((operation) => (
                      <OperationCard key={operation.id} operation={operation} onChange={state.reload} />
                    ))}
                  </ul>
                )}
              </section>
              <section>
                <h3>Server</h3>
                <Facts
                  facts={[
                    ['Version', status.version],
                    ['Running for', count(Math.round(status.uptimeSeconds / 60), 'minute')],
                    ['Database', `${status.store.engine}, ${status.store.location}`],
                    ['Nodes', status.store.nodes?.toLocaleString('en')],
                    ['Learning', status.learning ?? 'on'],
                  ]}
                />
              </section>
              <section>
                <h3>Services</h3>
                <table>
                  <tbody>
                    {status.services.map((service) => (
                      <tr key={service.id}>
                        <td>{service.title}</td>
                        <td class="number">{count(service.tools, 'tool')}</td>
                        <td>
                          {service.state === 'running' ? (
                            ''
                          ) : (
                            <Badge tone="failed">{service.problem ?? 'failed'}</Badge>
                          )}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </section>
            </>
          )}
        </Shown>
      </div>
    </Page>
  );
}

function OperationCard({ operation, onChange }: { operation: Operation; onChange(): void }) {
  const { id, kind, state, done, total, message, problem, updated } = operation;
  const isRunning = state === 'running' || state === 'queued';
  const cancel = () => perform('Cancelled.', () => call('operation_cancel', { operation_id: id })).then(onChange);
  return (
    <li>
      <strong>{spell(kind)}</strong> <Badge tone={state}>{state}</Badge>
      {isRunning && (
        <progress aria-label={kind} {...(total === undefined ? {} : { max: Math.max(1, total), value: done })} />
      )}
      <span class="meta">
        <Time at={updated} />
        {total !== undefined && (
          <span>
            {done.toLocaleString('en')} of {total.toLocaleString('en')}
          </span>
        )}
        {message !== undefined && <span>{message}</span>}
        <code>{id}</code>
      </span>
      {problem !== undefined && <p class="warn">{problem}</p>}
      {isRunning && (
        <button type="button" onClick={() => void cancel()}>
          Cancel
        </button>
      )}
    </li>
  );
}
