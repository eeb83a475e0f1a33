// A round-robin balancer: each request goes to the next server, whoever sends it. As by the defaults of nginx, a request that
// cannot be sent goes to the next one, one that was sent in vain is a 502, and a server that failed gets no further requests.
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
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    pass(incoming, response, Buffer.concat(parts));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const balancer: Balancer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    servers,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  function pass(incoming: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const server = balancer.servers[next++ % balancer.servers.length];
    if (server === undefined) return void response.writeHead(502).end();
    const { hostname: host, port } = new URL(server);
    const { method, url: path, headers } = incoming;
    const outgoing = openRequest({ host, port, path, method, headers });
    response.on('close', () => outgoing.destroy());
    outgoing.on('error', ({ code }: NodeJS.ErrnoException) => {
      balancer.servers = balancer.servers.filter((one) => one !== server);
      if (code === 'ECONNREFUSED') pass(incoming, response, body);
      else if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.on('error', () => response.destroy()).pipe(response);
    });
    outgoing.end(body);
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
