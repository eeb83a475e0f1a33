// Shell one: the page that lore open links to. It signs in with the key of the link, then shows the views.
import { signal } from '@preact/signals';
import { render } from 'preact';
import { createHttpPort } from './core/http-port.ts';
import { startKeys } from './core/keys.ts';
import { connect } from './core/port.ts';
import { go, link, project, route, startRouting } from './core/route.ts';
import { startTheme } from './core/theme.ts';
import { toFailure } from './core/use-tool.ts';
import { Frame } from './frame.tsx';
import { isAsking } from './parts/dialog.tsx';
import { Empty } from './parts/state.tsx';

const isSignedOut = signal(false);
const problem = signal('');

const port = createHttpPort(() => project.value, {
  onSignedOut() {
    isSignedOut.value = true;
  },
  onSignedIn() {
    isSignedOut.value = false;
  },
});

function Shell() {
  // What is being written stays; it can be sent once the person has signed in elsewhere.
  if (!isSignedOut.value || isAsking.value) return <Frame onLeave={() => void port.leave()} />;
  return (
    <main class="outside">
      <Empty title="Open the dashboard from a terminal" command="lore open">
        <p>{problem.value || 'This page has no session. The command prints a link that works once.'}</p>
      </Empty>
    </main>
  );
}

async function start(): Promise<void> {
  startTheme();
  startRouting();
  connect(port);
  const given = new URLSearchParams(location.hash.slice(1));
  const key = given.get('k');
  if (key !== null) {
    // The key leaves the address before anything else happens.
    const { view, id, params } = route.value;
    go(link(view || 'memories', id, { ...params, project: given.get('p') ?? project.value }), { replace: true });
    try {
      await port.signIn(key);
    } catch (error) {
      problem.value = toFailure(error).message;
      isSignedOut.value = localStorage.getItem('lore-page') === null;
    }
  }
  startKeys();
  render(<Shell />, document.body);
}

void start();
