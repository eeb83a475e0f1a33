// A web server on this machine that records each request as text: the request line, the headers and the body.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  /** `GET /pets?limit=2` */
  line: string;
  headers: Record<string, string>;
  body: string;
}

export interface RecordingServer {
  origin: string;
  requests: RecordedRequest[];
  /** Answers the following requests; by default with an empty JSON object. */
  answer: (request: RecordedRequest, response: ServerResponse) => void;
  close(): Promise<void>;
}

export async function openRecordingServer(): Promise<RecordingServer> {
  const server = createServer((incoming, response) => void record(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const recording: RecordingServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    answer: (_, response) => response.setHeader('content-type', 'application/json').end('{}'),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  async function record(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const request = {
      line: `${incoming.method} ${incoming.url}`,
      headers: incoming.headers as Record<string, string>,
      body: Buffer.concat(parts).toString('latin1'),
    };
    recording.requests.push(request);
    recording.answer(request, response);
  }
  return recording;
}
