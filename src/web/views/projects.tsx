// Projects: which there are, where they are, and what belongs together.
import { call } from '../core/port.ts';
import { go, link } from '../core/route.ts';
import { useTool } from '../core/use-tool.ts';
import { isPerson } from '../core/visitor.ts';
import { ask } from '../parts/dialog.tsx';
import { Badge, Page } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/state.tsx';
import { perform } from '../parts/toast.tsx';

interface ProjectRow {
  id: string;
  name: string;
  root: string;
  memories: number;
  folders: string[];
  remotes: string[];
  members: string[];
  current: boolean;
}

export function Projects() {
  const state = useTool<{ projects: ProjectRow[] }>('project_list', {});
  const change = (done: string, args: Record<string, string>) =>
    perform(done, () => call('project_change', args)).then(state.reload);
  const rename = async ({ id, name }: ProjectRow) => {
    const given = await ask({ title: `Rename “${name}”`, action: 'Rename', draft: name });
    if (given !== undefined) await change('Renamed.', { action: 'rename', project: id, name: given.trim() });
  };
  const merge = async (one: ProjectRow, into: ProjectRow) => {
    const text = `Memories of “${one.name}” become part of “${into.name}”. lore project split undoes it.`;
    const sure = await ask({ title: `Merge “${one.name}”`, text, action: 'Merge' });
    if (sure !== undefined) await change('Merged.', { action: 'merge', project: one.id, into: into.id });
  };
  return (
    <Page title="Projects" isWide>
      <div class="content">
        <Shown state={state}>
          {({ projects }) =>
            projects.length === 0 ? (
              <Empty title="No project has memories yet">
                <p>A project is a folder, usually a git repository, in which an agent has stored something.</p>
              </Empty>
            ) : (
              <table>
                <thead>
                  <tr>
                    <th>Project</th>
                    <th class="number">Memories</th>
                    <th>Folders</th>
                    <th>Remotes</th>
                    <th>
                      <span class="hidden">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {projects.map((one) => (
                    <tr key={one.id}>
                      <td>
                        <a href={link('memories', '', { project: one.id })}>{one.name}</a>{' '}
                        {one.current && <Badge tone="rule">shown now</Badge>}
                        {one.members.length > 1 && <Badge>{one.members.length} merged</Badge>}
                      </td>
                      <td class="number" data-label={one.memories === 1 ? 'memory' : 'memories'}>
                        {one.memories.toLocaleString('en')}
                      </td>
                      <td>
                        {one.folders.map((folder) => (
                          <div key={folder}>
                            <code>{folder}</code>
                          </div>
                        ))}
                      </td>
                      <td class="dim">{one.remotes.join(', ')}</td>
                      <td class="actions">
                        {isPerson.value && (
                          <>
                            <button type="button" onClick={() => void rename(one)}>
                              Rename
                            </button>
                            <select
                              aria-label={`Merge ${one.name} into`}
                              value=""
                              onChange={(event) => {
                                const into = projects.find(({ id }) => id === event.currentTarget.value);
                                event.currentTarget.value = '';
                                if (into) void merge(one, into);
                              }}
                            >
                              <option value="">Merge into…</option>
                              {projects
                                .filter(({ id }) => id !== one.id)
                                .map(({ id, name }) => (
                                  <option key={id} value={id}>
                                    {name}
                                  </option>
                                ))}
                            </select>
                            {!one.current && (
                              <button type="button" onClick={() => go(link('projects', '', { project: one.id }))}>
                                Show
                              </button>
                            )}
                          </>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )
          }
        </Shown>
      </div>
    </Page>
  );
}
