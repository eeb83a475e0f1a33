// Shell two: the page that MCP hosts show inside a chat. It shows the view of the tool that the agent called, first with the result
// that the agent got, and calls further tools through the host.
import { signal } from '@preact/signals';
import { type ComponentType, render } from 'preact';
import { createHostPort, type HostContext } from './core/host-port.ts';
import { startKeys } from './core/keys.ts';
import { type Arguments, connect, type Port } from './core/port.ts';
import { followLinks, route, startRouting } from './core/route.ts';
import { isPerson } from './core/visitor.ts';
import { Dialogs } from './parts/dialog.tsx';
import { Loading } from './parts/state.tsx';
import { onDone, Toasts } from './parts/toast.tsx';
import { Checkpoints } from './views/checkpoints.tsx';
import { Fixes } from './views/fixes.tsx';
import { Memories } from './views/memories.tsx';
import { Operations } from './views/operations.tsx';

const views: Record<string, ComponentType> = {
  memories: Memories,
  checkpoints: Checkpoints,
  fixes: Fixes,
  operations: Operations,
};

type Address = Parameters<typeof startRouting>[0];

/** What to show for a call of an agent. */
const addresses: Record<string, (args: Arguments, data: { id?: string; whole?: { id: string } }) => Address> = {
  recall: ({ query = '' }, { whole }) =>
    whole ? { view: 'memories', id: whole.id, params: {} } : { view: 'memories', id: '', params: { q: String(query) } },
  recent: () => ({ view: 'memories', id: '', params: {} }),
  checkpoint_list: () => ({ view: 'checkpoints', id: '', params: {} }),
  checkpoint_resume: (_, { id = '' }) => ({ view: 'checkpoints', id, params: {} }),
  remediation_search: (args) => ({
    view: 'fixes',
    id: '',
    params: { q: String(args.error_msg ?? args.query ?? '') },
  }),
  status: () => ({ view: 'operations', id: '', params: {} }),
};

const isReady = signal(false);
const height = 480;

function Shell() {
  const View = views[route.value.view];
  if (!isReady.value || !View) return <Loading />;
  return (
    // biome-ignore lint/a11y: links inside handle the keyboard themselves.
    <div class="inside" onClick={followLinks}>
      <main>
        <View />
      </main>
      <Toasts />
      <Dialogs />
    </div>
  );
}

/** The first call of the agent's tool has its result already. */
function withFirst(port: Port, tool: string, first: unknown): Port {
  let given = first;
  return {
    ...port,
    async call<T>(name: string, args: Arguments) {
      if (name !== tool || given === undefined) return port.call<T>(name, args);
      const data = given as T;
      given = undefined;
      return data;
    },
  };
}

async function start(): Promise<void> {
  isPerson.value = false;
  const port = createHostPort(window.parent, '1');
  let args: Arguments = {};
  port.onInput((given) => {
    args = given;
  });
  const show = (context: HostContext) => {
    if (context.theme) document.documentElement.dataset.theme = context.theme;
  };
  port.onContext(show);
  let tool = '';
  port.onResult((data) => {
    connect(withFirst(port, tool, data));
    const address = addresses[tool] ?? addresses.recent;
    startRouting(address?.(args, (data ?? {}) as object));
    isReady.value = true;
  });
  onDone(port.inform);
  const context = await port.start();
  show(context);
  tool = context.toolInfo?.tool.name ?? 'recent';
  startKeys();
  render(<Shell />, document.body);
  port.reportSize(document.documentElement.scrollWidth, height);
}

void start();
