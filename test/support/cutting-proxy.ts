// Stands between a client and its PostgreSQL server, and cuts a connection at a chosen word of the client.
import { connect, createServer, type Socket } from 'node:net';

/** `before`: the server never hears the word. `after`: it does, and only its answer is lost. */
export type Cut = 'before' | 'after';

export interface CuttingProxy {
  url: string;
  /** Cuts the next connection on which the client says this. */
  cutAt(word: string, cut: Cut): void;
  /** Whether that has happened. */
  readonly hasCut: boolean;
  stop(): void;
}

export async function startCuttingProxy(url: string): Promise<CuttingProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let planned: { word: string; cut: Cut } | undefined;

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    let isCutting = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    client.on('data', (part) => {
      if (!planned || !part.includes(planned.word)) return upstream.write(part);
      const { cut } = planned;
      planned = undefined;
      if (cut === 'before') return end();
      isCutting = true;
      return upstream.write(part);
    });
    upstream.on('data', (part) => (isCutting ? end() : client.write(part)));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const own = new URL(url);
  own.port = String((server.address() as { port: number }).port);
  let wasPlanned = false;
  return {
    url: own.href,
    cutAt(word, cut) {
      planned = { word, cut };
      wasPlanned = true;
    },
    get hasCut() {
      return wasPlanned && planned === undefined;
    },
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
