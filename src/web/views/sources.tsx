// Sources: the APIs whose tools agents can find. Changed definitions that wait for a review belong here, too.
import { call } from '../core/port.ts';
import { link } from '../core/route.ts';
import { useTool } from '../core/use-tool.ts';
import { ask } from '../parts/dialog.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/state.tsx';
import { perform } from '../parts/toast.tsx';

interface Sources {
  sources: { name: string; title: string; operations: number; origin: string }[];
}

export function SourcesPage() {
  const { data: permissions } = useTool<{ tools: { tool: string; allowed: boolean }[] }>('permission_list', {});
  const isAllowed = permissions?.tools.find(({ tool }) => tool === 'tool_source')?.allowed;
  const state = useTool<Sources>('tool_source', isAllowed ? { mode: 'list' } : undefined);
  const change = (done: string, args: Record<string, string>) =>
    perform(done, () => call('tool_source', args)).then(state.reload);
  const remove = async (name: string) => {
    const sure = await ask({
      title: `Remove “${name}”?`,
      text: 'Its tools can no longer be called.',
      action: 'Remove',
      isDangerous: true,
    });
    if (sure !== undefined) await change('Removed.', { mode: 'remove', name });
  };
  return (
    <Page title="Sources">
      <div class="content">
        {isAllowed === false ? (
          <Empty title="Sources are off">
            <p>
              The tool <code>tool_source</code> is not allowed yet. <a href={link('permissions')}>Permissions</a> can
              allow it; on a terminal, <code>lore forge</code> always works.
            </p>
          </Empty>
        ) : (
          <Shown state={state}>
            {({ sources }) =>
              sources.length === 0 ? (
                <Empty
                  title="No API has been added"
                  command="lore forge add petstore https://petstore3.swagger.io/api/v3/openapi.json"
                >
                  <p>An OpenAPI document becomes tools that agents find when they need them.</p>
                </Empty>
              ) : (
                <table>
                  <thead>
                    <tr>
                      <th>Source</th>
                      <th class="number">Tools</th>
                      <th>Address</th>
                      <th>
                        <span class="hidden">Actions</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {sources.map(({ name, title, operations, origin }) => (
                      <tr key={name}>
                        <td>
                          <strong>{name}</strong> <span class="dim">{title}</span>
                        </td>
                        <td class="number">{operations}</td>
                        <td>
                          <code>{origin}</code>
                        </td>
                        <td class="actions">
                          <button type="button" onClick={() => void change('Read again.', { mode: 'refresh', name })}>
                            Refresh
                          </button>
                          <button type="button" class="danger" onClick={() => void remove(name)}>
                            Remove
                          </button>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              )
            }
          </Shown>
        )}
      </div>
    </Page>
  );
}
