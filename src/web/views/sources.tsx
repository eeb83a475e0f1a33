// Sources: added APIs and mounted servers, whose tools agents find when they need them. A search answers as tool_find answers an
// agent. Tools that changed wait here until a person has seen the difference.
import { call } from '../core/port.ts';
import { link, route } from '../core/route.ts';
import { useTool } from '../core/use-tool.ts';
import { isPerson } from '../core/visitor.ts';
import { ask } from '../parts/dialog.tsx';
import { Badge, count, Page } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/state.tsx';
import { oneLine } from '../parts/text.tsx';
import { perform } from '../parts/toast.tsx';
import { Waiting } from './waiting.tsx';

interface FoundSources {
  unmatched?: boolean;
  tools: { name: string; effect: string; summary: string; signature: string; note?: string }[];
  sources: { name: string; title: string; operations: number; state: string; note?: string }[];
}

export function SourcesPage() {
  const query = route.value.params.q ?? '';
  const state = useTool<FoundSources>('tool_find', query === '' ? {} : { queries: [query], limit: 30 });
  return (
    <Page title="Sources">
      <div class="content">
        {/* An agent must not read a definition that nobody has approved. */}
        {isPerson.value && <Waiting onChange={state.reload} />}
        <Shown state={state}>
          {(found) =>
            found.sources.length === 0 ? (
              <Empty title="No API or server has been added" command="lore forge add <name> <OpenAPI file or URL>">
                <p>
                  An OpenAPI document becomes tools that agents find when they need them. So do the tools of another MCP
                  server: <code>lore mount</code>.
                </p>
              </Empty>
            ) : (
              <>
                {query !== '' && <Tools found={found} />}
                <SourceTable sources={found.sources} onChange={state.reload} />
              </>
            )
          }
        </Shown>
      </div>
    </Page>
  );
}

function Tools({ found: { tools, unmatched } }: { found: FoundSources }) {
  if (unmatched || tools.length === 0) return <p class="dim">No tool matches.</p>;
  return (
    <section aria-label="Tools">
      <h3>{count(tools.length, 'tool')}, as an agent finds them</h3>
      <ul class="cards">
        {tools.map(({ name, effect, summary, signature, note }) => (
          <li key={name}>
            <strong>{name}</strong> <Badge tone={effect === 'destroy' ? 'warn' : ''}>{effect}</Badge>
            {note !== undefined && <Badge tone="warn">{note}</Badge>}
            <p>{oneLine(summary, 300)}</p>
            <code>{oneLine(signature, 300)}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

function SourceTable({ sources, onChange }: { sources: FoundSources['sources']; onChange(): void }) {
  const { data: permissions } = useTool<{ tools: { tool: string; allowed: boolean }[] }>(
    'permission_list',
    isPerson.value ? {} : undefined,
  );
  const isAllowed = permissions?.tools.find(({ tool }) => tool === 'tool_source')?.allowed;
  const change = (done: string, args: Record<string, string>) =>
    perform(done, () => call('tool_source', args)).then(onChange);
  const remove = async (name: string) => {
    const text = 'Its tools can no longer be called.';
    const sure = await ask({ title: `Remove “${name}”?`, text, action: 'Remove', isDangerous: true });
    if (sure !== undefined) await change('Removed.', { mode: 'remove', name });
  };
  return (
    <>
      <table>
        <thead>
          <tr>
            <th>Source</th>
            <th class="number">Tools</th>
            <th>State</th>
            <th>
              <span class="hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sources.map(({ name, title, operations, state, note }) => (
            <tr key={name}>
              <td>
                <strong>{name}</strong> <span class="dim">{oneLine(title, 120)}</span>
              </td>
              <td class="number" data-label={operations === 1 ? 'tool' : 'tools'}>
                {operations}
              </td>
              <td>
                <Badge tone={state === 'broken' ? 'failed' : ''}>{state}</Badge> <span class="dim">{note}</span>
              </td>
              <td class="actions">
                {isAllowed && (
                  <>
                    <button type="button" onClick={() => void change('Read again.', { mode: 'refresh', name })}>
                      Refresh
                    </button>
                    <button type="button" class="danger" onClick={() => void remove(name)}>
                      Remove
                    </button>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isAllowed === false && (
        <p class="dim">
          To change them here, allow <code>tool_source</code> in <a href={link('permissions')}>Permissions</a>. On a
          terminal, <code>lore forge</code> always works.
        </p>
      )}
    </>
  );
}
