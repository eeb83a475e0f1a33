// The port of shell one: tools over HTTP on the same origin, and one event stream, which is open while the page is visible.
import { CallFailure, type Port } from './port.ts';

const tokenKey = 'lore-page';
const retryMs = 1_000;

export interface HttpPort extends Port {
  /** Exchanges the key of a one-time link for a session. */
  signIn(key: string): Promise<void>;
  leave(): Promise<void>;
}

interface SessionListener {
  onSignedOut(): void;
  /** In another tab. */
  onSignedIn(): void;
}

export function createHttpPort(
  project: () => string | undefined,
  { onSignedOut, onSignedIn }: SessionListener,
): HttpPort {
  const listeners = new Set<(uris: readonly string[]) => void>();
  let stream: AbortController | undefined;

  async function post(action: string, body: unknown, signal?: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { 'Content-Type': 'application/json' };
    const token = localStorage.getItem(tokenKey);
    if (token !== null) headers['Lore-Page'] = token;
    const init: RequestInit = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`/ui/${action}`, signal ? { ...init, signal } : init).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw new CallFailure('unavailable', 'The server does not answer', 'Start it again with lore open.');
    });
    if (response.ok) return response;
    if (response.status === 401) onSignedOut();
    const { error } = (await response.json().catch(() => ({}))) as {
      error?: { code: string; message: string; hint?: string };
    };
    throw new CallFailure(
      error?.code ?? 'internal',
      error?.message ?? `The server answered ${response.status}`,
      error?.hint,
    );
  }

  /** Reads the stream until it ends, then connects again. */
  async function listen(control: AbortController): Promise<void> {
    for (let isFirst = true; !control.signal.aborted; isFirst = false) {
      try {
        const { body } = await post('events', {}, control.signal);
        // Something may have changed while it was closed.
        if (!isFirst) tell(['*']);
        if (body) await readEvents(body);
      } catch (error) {
        if (error instanceof CallFailure && error.code === 'forbidden') return;
      }
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }

  async function readEvents(body: ReadableStream<Uint8Array>): Promise<void> {
    const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
    for (let rest = ''; ; ) {
      const { value, done } = await reader.read();
      if (done) return;
      const events = (rest + value).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        if (!event.startsWith('data: ')) continue;
        const { changed, all } = JSON.parse(event.slice(6)) as { changed: string[]; all: boolean };
        tell(all ? ['*'] : changed);
      }
    }
  }

  function tell(uris: readonly string[]): void {
    for (const listener of listeners) listener(uris);
  }

  /** No page that nobody looks at keeps the server busy. */
  function follow(): void {
    const isWanted = listeners.size > 0 && document.visibilityState === 'visible';
    if (isWanted === (stream !== undefined)) return;
    if (!isWanted) {
      stream?.abort();
      stream = undefined;
      return;
    }
    stream = new AbortController();
    void listen(stream);
  }

  addEventListener('storage', ({ key, newValue }) => {
    if (key !== tokenKey || newValue === null) return;
    onSignedIn();
    stream?.abort();
    stream = undefined;
    follow();
  });

  document.addEventListener('visibilitychange', () => {
    follow();
    if (document.visibilityState === 'visible') tell(['*']);
  });

  return {
    async call(tool, args, options) {
      const chosen = options?.project ?? project();
      const body = { tool, arguments: args, ...(chosen !== undefined && { project: chosen }) };
      return (await post('call', body, options?.signal)).json();
    },
    subscribe(listener) {
      listeners.add(listener);
      follow();
      return () => {
        listeners.delete(listener);
        follow();
      };
    },
    async signIn(key) {
      const { token } = (await (await post('session', { key })).json()) as { token: string };
      localStorage.setItem(tokenKey, token);
    },
    async leave() {
      await post('leave', {});
      localStorage.removeItem(tokenKey);
      onSignedOut();
    },
  };
}
