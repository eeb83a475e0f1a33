// What the tests ask of an official client, whichever of its two generations it is.

export type Json = { [key: string]: unknown };

interface CallOptions {
  signal?: AbortSignal;
  onProgress?(progress: Json): void;
  meta?: Json;
}

export interface TestClient {
  readonly revision: string | undefined;
  readonly serverName: string | undefined;
  /** Every notification that is not progress, in the order it came. */
  readonly heard: { method: string; params?: Json }[];
  listTools(cursor?: string): Promise<Json>;
  listResources(): Promise<Json>;
  listTemplates(): Promise<Json>;
  listPrompts(): Promise<Json>;
  callTool(name: string, args?: Json, options?: CallOptions): Promise<Json>;
  readResource(uri: string): Promise<Json>;
  getPrompt(name: string, args?: Record<string, string>): Promise<Json>;
  complete(params: Json): Promise<Json>;
  /** Whatever proves that the server is there: ping, or discovery where there is none. */
  greet(): Promise<Json>;
  setLogLevel(level: string): Promise<unknown>;
  /** From now on changes of the tools and of this resource are told. */
  follow(uri: string): Promise<unknown>;
  close(): Promise<void>;
}

export const clientInfo = { name: 'differential', version: '1' };

/** Declared by every client, and answered with the same values. */
export const capabilities = { elicitation: {}, sampling: {}, roots: {} };

export const answers = {
  'elicitation/create': {
    action: 'accept' as const,
    content: { username: 'ada', email: 'ada@example.org', name: 'Ada' },
  },
  'sampling/createMessage': {
    role: 'assistant' as const,
    model: 'none',
    content: { type: 'text' as const, text: 'Paris' },
  },
  'roots/list': { roots: [{ uri: 'file:///work', name: 'work' }] },
};
