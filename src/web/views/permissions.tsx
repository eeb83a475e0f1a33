// Permissions: what agents may do. A change is written to the settings file and applies to all running servers at once.
import { useState } from 'preact/hooks';
import { call } from '../core/port.ts';
import { useTool } from '../core/use-tool.ts';
import { Badge, Choice, Page } from '../parts/page.tsx';
import { Shown } from '../parts/state.tsx';
import { perform } from '../parts/toast.tsx';

type Level = 'off' | 'read' | 'write';

interface Permission {
  tool: string;
  title: string;
  service: string;
  effect: 'read' | 'write' | 'destroy';
  level: Level;
  needs: Level;
  allowed: boolean;
  decided: boolean;
  person: boolean;
}

interface PermissionList {
  read_only: boolean;
  projects: Level;
  tools: Permission[];
}

interface Pause {
  paused: boolean;
  until?: string;
}

export function Permissions() {
  const state = useTool<PermissionList>('permission_list', {});
  const [shown, setShown] = useState('all');
  const set = (name: string, level: Level, before: Level) =>
    perform(
      `${name}: ${level}.`,
      () => call('permission_set', { name, level }),
      () => call('permission_set', { name, level: before }),
    ).then(state.reload);
  return (
    <Page title="Permissions">
      <div class="content">
        <Learning />
        <Shown state={state}>
          {({ read_only: isReadOnly, projects, tools }) => {
            const agents = tools.filter(({ person }) => !person);
            const visible = agents.filter(
              ({ allowed, decided }) => shown === 'all' || (shown === 'open' ? !decided : !allowed),
            );
            const services = [...new Set(visible.map(({ service }) => service))];
            return (
              <>
                {isReadOnly && <p class="notice">The server is read-only: every tool that changes data is refused.</p>}
                <div class="setting">
                  <span>
                    Other projects
                    <small class="dim">What an agent may do in projects other than its own</small>
                  </span>
                  <LevelChoice
                    name="projects"
                    level={projects}
                    onChange={(level) => void set('projects', level, projects)}
                  />
                </div>
                <Choice
                  label="Show"
                  value={shown}
                  options={[
                    ['all', 'All tools'],
                    ['refused', 'Refused'],
                    ['open', 'Not decided'],
                  ]}
                  onChange={setShown}
                />
                {visible.length === 0 && <p class="dim">None.</p>}
                {services.map((service) => (
                  <section key={service}>
                    <h3>{service}</h3>
                    {visible
                      .filter((one) => one.service === service)
                      .map((one) => (
                        <div key={one.tool} class="setting">
                          <span>
                            <code>{one.tool}</code>{' '}
                            <Badge tone={one.effect === 'destroy' ? 'warn' : ''}>{one.effect}</Badge>
                            {!one.allowed && <Badge tone="warn">{one.decided ? 'refused' : 'not allowed yet'}</Badge>}
                            <small class="dim">{one.title}</small>
                          </span>
                          <button
                            type="button"
                            role="switch"
                            aria-checked={one.allowed}
                            aria-label={`Allow ${one.tool}`}
                            onClick={() => void set(one.tool, one.allowed ? 'off' : one.needs, one.level)}
                          />
                        </div>
                      ))}
                  </section>
                ))}
              </>
            );
          }}
        </Shown>
      </div>
    </Page>
  );
}

function LevelChoice({ name, level, onChange }: { name: string; level: Level; onChange(level: Level): void }) {
  return (
    <Choice
      label={name}
      value={level}
      options={[
        ['off', 'Off'],
        ['read', 'Read'],
        ['write', 'Write'],
      ]}
      onChange={(value) => onChange(value as Level)}
    />
  );
}

function Learning() {
  const state = useTool<{ learning?: string }>('status', {}, () => false);
  // The server follows the settings file a moment later.
  const [changed, setChanged] = useState<Pause>();
  const set = (done: string, args: Record<string, unknown>) =>
    perform(done, async () => setChanged(await call<Pause>('learning_pause', args)));
  return (
    <Shown state={state}>
      {({ learning }) => (
        <div class="setting">
          <span>
            Learning from conversations
            <small class="dim">
              {(changed ? describe(changed) : learning) ?? 'Hooks learn facts from conversations in this project.'}
            </small>
          </span>
          <span class="actions">
            {(changed ? changed.paused : learning !== undefined) ? (
              <button type="button" class="primary" onClick={() => void set('Learning is on again.', { mode: 'off' })}>
                Resume
              </button>
            ) : (
              <>
                <button type="button" onClick={() => void set('Paused for two hours.', { hours: 2 })}>
                  Pause for 2 hours
                </button>
                <button type="button" onClick={() => void set('Paused.', {})}>
                  Pause
                </button>
              </>
            )}
          </span>
        </div>
      )}
    </Shown>
  );
}

function describe({ paused, until }: Pause): string | undefined {
  if (!paused) return undefined;
  return `Paused${until === undefined ? '' : ` until ${until.slice(0, 16).replace('T', ' ')} UTC`}. Agents can still store memories.`;
}
