// The only way to data: views call tools through a port, and hear which entries changed. Shell one implements it over HTTP,
// shell two over the messages of an MCP host.
import { signal } from '@preact/signals';

export type Arguments = { readonly [name: string]: unknown };

export interface CallOptions {
  /** Another project than the chosen one. */
  project?: string;
  signal?: AbortSignal;
}

export interface Port {
  call<T>(tool: string, args: Arguments, options?: CallOptions): Promise<T>;
  /** Calls back with the URIs of entries that changed; "*" means that anything may have. Returns a function that stops it. */
  subscribe(listener: (uris: readonly string[]) => void): () => void;
}

/** A tool's refusal, in words for people. */
export class CallFailure extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  constructor(code: string, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

let current: Port | undefined;

export function connect(port: Port): void {
  current = port;
}

/** Number of calls that are not answered yet. */
export const pending = signal(0);

export async function call<T>(tool: string, args: Arguments = {}, options?: CallOptions): Promise<T> {
  if (!current) throw new Error('no port');
  pending.value++;
  try {
    return await current.call<T>(tool, args, options);
  } finally {
    pending.value--;
  }
}

export function subscribe(listener: (uris: readonly string[]) => void): () => void {
  return current?.subscribe(listener) ?? (() => {});
}
