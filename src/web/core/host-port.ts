// The port of shell two: the dialect of MCP Apps, JSON-RPC over postMessage with the host that shows this page inside a chat. Tools
// are called through the host, as an agent; their data is in the result's `_meta`, which hosts do not show to their model.
import { type Arguments, CallFailure, type Port } from './port.ts';

const wireVersion = '2026-01-26';
const dataKey = 'io.github.lorekeeper/data';
const toolKey = 'io.github.lorekeeper/tool';

interface Message {
  jsonrpc: '2.0';
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message: string };
}

interface CallResult {
  isError?: boolean;
  content?: { type: string; text?: string }[];
  structuredContent?: unknown;
  _meta?: Record<string, unknown>;
}

export interface HostContext {
  theme?: 'light' | 'dark';
  toolInfo?: { tool: { name: string } };
  displayMode?: string;
  availableDisplayModes?: readonly string[];
}

export interface HostPort extends Port {
  /** Introduces the page to its host. */
  start(): Promise<HostContext>;
  onInput(listener: (args: Arguments) => void): void;
  /** The result of the call that the page was opened for. */
  onResult(listener: (result: { tool?: string; data: unknown }) => void): void;
  onCancelled(listener: () => void): void;
  onContext(listener: (context: HostContext) => void): void;
  reportSize(width: number, height: number): void;
  requestFullScreen(): Promise<HostContext>;
  /** What the model should know about what the person did here. */
  inform(text: string): void;
}

/** Tools by which a page changes something. */
const changing = new Set([
  'forget',
  'remember',
  'remediation_feedback',
  'operation_cancel',
  'cleanup',
  'index_repository',
]);

export function createHostPort(host: Window, version: string): HostPort {
  const waiting = new Map<number | string, { resolve(value: unknown): void; reject(error: unknown): void }>();
  const changed = new Set<(uris: readonly string[]) => void>();
  const listeners: Record<string, ((params: Record<string, unknown>) => void)[]> = {};
  let last = 0;

  // The origin of a host is not known before it speaks, and nothing here is secret from it.
  const send = (message: Omit<Message, 'jsonrpc'>) => host.postMessage({ jsonrpc: '2.0', ...message }, '*');

  function request<T>(method: string, params: Record<string, unknown>): Promise<T> {
    const id = ++last;
    send({ id, method, params });
    return new Promise((resolve, reject) => waiting.set(id, { resolve: resolve as (value: unknown) => void, reject }));
  }

  function on(method: string, listener: (params: Record<string, unknown>) => void): void {
    listeners[method] = [...(listeners[method] ?? []), listener];
  }

  addEventListener('message', ({ source, data }: MessageEvent<Message>) => {
    if (source !== host || data?.jsonrpc !== '2.0') return;
    const { id, method, params = {}, result, error } = data;
    if (method === undefined) {
      const pending = id === undefined ? undefined : waiting.get(id);
      if (id !== undefined) waiting.delete(id);
      if (error) pending?.reject(new CallFailure('unavailable', error.message));
      else pending?.resolve(result);
    } else if (id === undefined) for (const listener of listeners[method] ?? []) listener(params);
    else if (method === 'ping' || method === 'ui/resource-teardown') send({ id, result: {} });
    else send({ id, error: { code: -32601, message: `Method not found: ${method}` } });
  });

  return {
    async start() {
      const { hostContext = {} } = await request<{ hostContext?: HostContext }>('ui/initialize', {
        appInfo: { name: 'lorekeeper', version },
        appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
        protocolVersion: wireVersion,
      });
      send({ method: 'ui/notifications/initialized' });
      return hostContext;
    },
    async call<T>(tool: string, args: Arguments) {
      const data = readResult(await request<CallResult>('tools/call', { name: tool, arguments: args })) as T;
      // Hosts report no changes; what this page changes, it reads again.
      if (changing.has(tool)) {
        for (const listener of changed) listener(['*']);
      }
      return data;
    },
    subscribe(listener) {
      changed.add(listener);
      return () => changed.delete(listener);
    },
    onInput: (listener) =>
      on('ui/notifications/tool-input', ({ arguments: args }) => listener((args ?? {}) as Arguments)),
    onResult: (listener) =>
      on('ui/notifications/tool-result', (result: CallResult) => {
        const tool = result._meta?.[toolKey];
        // After a failure the view calls the tool itself, and shows the reason if it fails again.
        listener({ data: result.isError ? undefined : dataOf(result), ...(typeof tool === 'string' && { tool }) });
      }),
    onCancelled: (listener) => on('ui/notifications/tool-cancelled', listener),
    onContext: (listener) => on('ui/notifications/host-context-changed', (context) => listener(context as HostContext)),
    reportSize: (width, height) => send({ method: 'ui/notifications/size-changed', params: { width, height } }),
    async requestFullScreen() {
      const { mode } = await request<{ mode?: string }>('ui/request-display-mode', { mode: 'fullscreen' });
      return { ...(mode !== undefined && { displayMode: mode }) };
    },
    inform: (text) => void request('ui/update-model-context', { content: [{ type: 'text', text }] }).catch(() => {}),
  };
}

function readResult(result: CallResult): unknown {
  if (!result.isError) return dataOf(result) ?? {};
  const { error } = (result.structuredContent ?? {}) as { error?: { code: string; message: string; hint?: string } };
  throw new CallFailure(error?.code ?? 'internal', error?.message ?? 'The call failed', error?.hint);
}

function dataOf({ _meta: meta, structuredContent }: CallResult): unknown {
  return meta?.[dataKey] ?? structuredContent;
}
