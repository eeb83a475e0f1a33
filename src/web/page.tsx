// Shell two: the page that MCP hosts show inside a chat. It shows the view of the tool that the agent called, first with the result
// that the agent got, and calls further tools through the host.
import { signal } from '@preact/signals';
import { render } from 'preact';
import { createHostPort, type HostContext } from './core/host-port.ts';
import { startKeys } from './core/keys.ts';
import { type Arguments, connect, type Port, pending } from './core/port.ts';
import { followLinks, go, link, route, startRouting } from './core/route.ts';
import { isPerson } from './core/visitor.ts';
import { Dialogs } from './parts/dialog.tsx';
import { Empty, Loading } from './parts/state.tsx';
import { onDone, Toasts } from './parts/toast.tsx';
import { Content } from './views/content.tsx';
import { views } from './views/index.ts';
import { Search } from './views/search.tsx';

/** What the agent called. */
interface Opening {
  tool: string;
  args: Arguments;
  data: unknown;
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const idOf = (data: unknown, name = 'id') => text((data as Record<string, unknown> | undefined)?.[name]);

/** The view of each tool that opens a page, and what it shows first. */
const addresses: Record<string, (opening: Opening) => { view: string; id?: string; params?: Record<string, string> }> =
  {
    recall: ({ args, data }) => {
      const { whole } = (data ?? {}) as { whole?: unknown };
      return whole ? { view: 'memories', id: idOf(whole) } : { view: 'memories', params: { q: text(args.query) } };
    },
    recent: () => ({ view: 'memories' }),
    checkpoint_list: () => ({ view: 'checkpoints' }),
    checkpoint_search: ({ args }) => ({ view: 'checkpoints', params: { q: text(args.query) } }),
    checkpoint_resume: ({ data }) => ({ view: 'checkpoints', id: idOf(data) }),
    remediation_search: ({ args }) => ({ view: 'fixes', params: { q: text(args.error_msg) || text(args.query) } }),
    skill_search: ({ args }) => ({ view: 'skills', id: text(args.name), params: { q: text(args.query) } }),
    collection_list: () => ({ view: 'collections' }),
    collection_search: ({ args }) => ({
      view: 'collections',
      params: { q: text(args.query), in: text(args.collection_name) },
    }),
    query_context: ({ args }) => ({ view: 'graph', params: { q: text(args.query) } }),
    repo_map: ({ args }) => ({ view: 'code', params: { path: text(args.path) } }),
    stats: () => ({ view: 'statistics' }),
    status: () => ({ view: 'operations' }),
  };

const state = signal<'waiting' | 'ready' | 'cancelled'>('waiting');
const hasFullScreen = signal(false);
const height = 480;

const inside = views.filter(({ isForPerson }) => !isForPerson);

function Shell({ onFullScreen }: { onFullScreen(): void }) {
  if (state.value === 'waiting') return <Loading />;
  if (state.value === 'cancelled') return <Empty title="The call was cancelled" />;
  return (
    // biome-ignore lint/a11y: links inside handle the keyboard themselves.
    <div class="inside" onClick={followLinks}>
      <header class="bar">
        <select aria-label="View" value={route.value.view} onChange={(event) => go(link(event.currentTarget.value))}>
          {inside.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
        <Search />
        {hasFullScreen.value && (
          <button type="button" onClick={onFullScreen}>
            Full screen
          </button>
        )}
      </header>
      <main id="main" tabIndex={-1} aria-busy={pending.value > 0}>
        <Content />
      </main>
      <Toasts />
      <Dialogs />
    </div>
  );
}

/** Arguments that say what is asked for; others say how much of it. */
const subjects = ['query', 'name', 'mode', 'id', 'path', 'error_msg', 'collection_name', 'cursor'];

/** The view's first call for the same thing has its result already: the one that the agent got. */
function withFirst(port: Port, { tool, args: asked, data }: Opening): Port {
  let given = data;
  const isSame = (args: Arguments) =>
    subjects.every((name) => asked[name] === undefined || args[name] === undefined || asked[name] === args[name]);
  return {
    ...port,
    async call<T>(name: string, args: Arguments) {
      if (name !== tool || given === undefined || !isSame(args)) return port.call<T>(name, args);
      const first = given as T;
      given = undefined;
      return first;
    },
  };
}

async function start(): Promise<void> {
  isPerson.value = false;
  const port = createHostPort(window.parent, '1');
  let args: Arguments = {};
  let named = '';
  port.onInput((given) => {
    args = given;
  });
  const show = ({ theme, toolInfo, availableDisplayModes, displayMode }: HostContext) => {
    if (theme) document.documentElement.dataset.theme = theme;
    if (toolInfo) named = toolInfo.tool.name;
    if (availableDisplayModes) hasFullScreen.value = availableDisplayModes.includes('fullscreen');
    if (displayMode) hasFullScreen.value &&= displayMode !== 'fullscreen';
  };
  port.onContext(show);
  port.onResult(({ tool = named, data }) => {
    const opening = { tool, args, data };
    const { view, id = '', params = {} } = addresses[tool]?.(opening) ?? { view: 'memories' };
    connect(withFirst(port, opening));
    startRouting({ view, id, params: Object.fromEntries(Object.entries(params).filter(([, value]) => value !== '')) });
    state.value = 'ready';
  });
  port.onCancelled(() => {
    if (state.value === 'waiting') state.value = 'cancelled';
  });
  onDone(port.inform);
  show(await port.start());
  startKeys();
  render(<Shell onFullScreen={() => void port.requestFullScreen().then(show)} />, document.body);
  port.reportSize(document.documentElement.scrollWidth, height);
}

void start();
