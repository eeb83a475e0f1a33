// A round-robin balancer: each request goes to the next server, whoever sends it. One that cannot be reached is a 502; a client
// has to retry, as behind a real balancer that has not noticed yet.
import { createServer, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Balancer {
  url: string;
  /** Addresses of the servers, which may change. */
  servers: string[];
  close(): Promise<void>;
}

export async function startBalancer(servers: string[]): Promise<Balancer> {
  let next = 0;
  const server = createServer((incoming, response) => pass(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const balancer: Balancer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    servers,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  function pass(incoming: IncomingMessage, response: ServerResponse): void {
    const target = new URL(balancer.servers[next++ % balancer.servers.length] as string);
    const { method, url, headers } = incoming;
    const outgoing = openRequest({ host: target.hostname, port: target.port, path: url, method, headers });
    response.on('close', () => outgoing.destroy());
    outgoing.on('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.on('error', () => response.destroy()).pipe(response);
    });
    incoming.pipe(outgoing);
  }
  return balancer;
}

/** A port that nobody uses now: servers that know each other need their addresses before they start. */
export async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
