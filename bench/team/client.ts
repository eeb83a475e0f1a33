// A client of the team: one session of one person, which retries a failed request, and counts how often it has to.

interface RpcAnswer {
  result?: { isError?: boolean; content?: { text?: string }[]; structuredContent?: Record<string, unknown> };
  error?: { message: string };
}

const maxAttempts = 5;

export class TeamClient {
  /** Requests by the number of attempts they took, and the largest. */
  retries = 0;
  mostAttempts = 0;
  readonly #url: string;
  readonly #token: () => string;
  #session: Record<string, string> = {};
  #id = 0;

  constructor(url: string, token: () => string) {
    this.#url = url;
    this.#token = token;
  }

  async open(): Promise<this> {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
    const response = await this.#post('initialize', params);
    this.#session = { 'Mcp-Session-Id': response.headers.get('mcp-session-id') as string };
    await response.text();
    return this;
  }

  async call(name: string, args: object): Promise<string> {
    const params = { name, arguments: args };
    const { result, error } = await this.request('tools/call', params);
    const text = result?.content?.map((part) => part.text).join('\n') ?? '';
    if (error || result?.isError) throw new Error(error?.message ?? text);
    return text;
  }

  async request(method: string, params: object): Promise<RpcAnswer> {
    return (await (await this.#post(method, params)).json()) as RpcAnswer;
  }

  /** The notifications on the session's stream, from now on, until the signal. */
  async *listen(signal: AbortSignal): AsyncGenerator<string> {
    const headers = { ...this.#headers(), Accept: 'text/event-stream' };
    const { body } = await fetch(this.#url, { headers, signal });
    let rest = '';
    for await (const part of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + part).split('\n\n');
      rest = blocks.pop() as string;
      yield* blocks.flatMap((block) => /^data: (.+)$/m.exec(block)?.[1] ?? []);
    }
  }

  async #post(method: string, params: object): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      // The first attempt may still be running.
      const body = JSON.stringify({ jsonrpc: '2.0', id: ++this.#id, method, params });
      this.mostAttempts = Math.max(this.mostAttempts, attempt);
      const response = await fetch(this.#url, { method: 'POST', headers: this.#headers(), body }).catch(
        () => undefined,
      );
      if (response?.ok) return response;
      if (attempt === maxAttempts) throw new Error(`${method}: ${response?.status} ${await response?.text()}`);
      this.retries++;
    }
  }

  #headers(): Record<string, string> {
    return {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...this.#session,
      Authorization: `Bearer ${this.#token()}`,
    };
  }
}
