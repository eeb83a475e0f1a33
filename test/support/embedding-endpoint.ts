// An embeddings endpoint on a real socket, which answers well until it is told otherwise. Its vectors count letters, turned
// by a seed: texts that are alike are near each other, and two seeds are two models.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface EmbeddingRequest {
  path: string;
  key: string | undefined;
  body: { model: string; input: string[]; dimensions?: number; encoding_format?: string };
}

/** What to send instead of vectors; nothing for the usual answer. */
export type Reply =
  | { status?: number; headers?: Record<string, string>; body: unknown }
  | 'silence'
  | 'flood'
  | undefined;

export interface EmbeddingEndpoint {
  /** What a setting would say. */
  url: string;
  requests: EmbeddingRequest[];
  reply: (request: EmbeddingRequest, count: number) => Reply;
  close(): Promise<void>;
}

export const letters = 26;

export function countLetters(text: string, seed = 0): number[] {
  const vector = new Array<number>(letters).fill(0);
  for (const letter of text.toLowerCase().match(/[a-z]/g) ?? []) {
    const at = (letter.charCodeAt(0) - 97 + seed) % letters;
    vector[at] = (vector[at] as number) + 1;
  }
  return vector;
}

export async function startEmbeddingEndpoint(seed = 0): Promise<EmbeddingEndpoint> {
  const endpoint: EmbeddingEndpoint = { url: '', requests: [], reply: () => undefined, close: async () => {} };
  const server = createServer(async (incoming, outgoing) => {
    const request = await readRequest(incoming);
    endpoint.requests.push(request);
    send(outgoing, endpoint.reply(request, endpoint.requests.length), request, seed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  endpoint.close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return endpoint;
}

async function readRequest(incoming: IncomingMessage): Promise<EmbeddingRequest> {
  let text = '';
  for await (const part of incoming) text += part;
  return { path: incoming.url ?? '', key: incoming.headers.authorization, body: JSON.parse(text) };
}

function send(outgoing: ServerResponse, reply: Reply, { body }: EmbeddingRequest, seed: number): void {
  if (reply === 'silence') return;
  if (reply === 'flood') return flood(outgoing);
  const data = body.input.map((text, index) => ({ index, embedding: countLetters(text, seed) }));
  const { status = 200, headers = {}, body: content } = reply ?? { body: { data } };
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
  outgoing.end(typeof content === 'string' ? content : JSON.stringify(content));
}

/** Goes on until the other side has had enough. */
function flood(outgoing: ServerResponse): void {
  const part = '0,'.repeat(32_768);
  const write = () => {
    while (!outgoing.destroyed && outgoing.write(part));
  };
  outgoing.on('drain', write);
  outgoing.write('{"data":[{"index":0,"embedding":[');
  write();
}
