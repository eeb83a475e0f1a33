// A proxy that refuses: clients try to reach their makers' hosts, and a check must neither wait for them nor tell them
// anything. Loopback goes past it; what was refused is remembered, so that the report can say who wanted where.
import { createServer } from 'node:http';

export async function openFence() {
  const refused = new Set();
  const server = createServer((request, response) => {
    refused.add(request.headers.host ?? request.url);
    response.writeHead(403, { connection: 'close' }).end();
  });
  server.on('connect', (request, socket) => {
    refused.add(request.url);
    socket.on('error', () => {});
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  const loopback = '127.0.0.1,localhost';
  return {
    refused,
    env: {
      HTTP_PROXY: url,
      HTTPS_PROXY: url,
      http_proxy: url,
      https_proxy: url,
      NO_PROXY: loopback,
      no_proxy: loopback,
      NODE_USE_ENV_PROXY: '1', // Node's own fetch looks at the variables above only when told to.
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
