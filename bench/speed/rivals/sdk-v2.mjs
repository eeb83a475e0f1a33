// The official TypeScript SDK v2. `stdio`; `http PORT`: one server a session, plain JSON answers (its fastest legacy
// mode); `http-stateless PORT`: its own createMcpHandler, which builds a server per request by design.
// Transports are imported only where used, so that neither cold start pays for the other's packages.
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { tools } from './tools.mjs';
import { buildZodSchema } from './zod-schema.mjs';

// Schemas are built once and shared: a careful user of the per-request mode would do the same.
const entries = tools.map((tool) => ({ ...tool, inputSchema: buildZodSchema(tool) }));

function createMcpServer() {
  const server = new McpServer({ name: 'sdk-v2', version: '1.0.0' });
  for (const { name, description, inputSchema, run } of entries) {
    server.registerTool(name, { description, inputSchema }, (args) => ({
      content: [{ type: 'text', text: run(args) }],
    }));
  }
  return server;
}

/** @param {string | undefined} port @param {(request: any, response: any) => Promise<void>} handle */
async function listenGuarded(port, handle) {
  const { createServer } = await import('node:http');
  const { localhostHostValidation, localhostOriginValidation } = await import('@modelcontextprotocol/node');
  const isHostAllowed = localhostHostValidation();
  const isOriginAllowed = localhostOriginValidation();
  createServer((request, response) => {
    if (isHostAllowed(request, response) && isOriginAllowed(request, response)) void handle(request, response);
  }).listen(Number(port), '127.0.0.1');
}

/** @param {string | undefined} port */
async function serveSessions(port) {
  const { randomUUID } = await import('node:crypto');
  const { NodeStreamableHTTPServerTransport } = await import('@modelcontextprotocol/node');
  /** @type {Map<string, import('@modelcontextprotocol/node').NodeStreamableHTTPServerTransport>} */
  const transports = new Map();
  await listenGuarded(port, async (request, response) => {
    const sessionId = request.headers['mcp-session-id'];
    let transport = transports.get(sessionId);
    if (!transport) {
      if (sessionId) return response.writeHead(404).end();
      const opened = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        enableJsonResponse: true,
        onsessioninitialized: (id) => void transports.set(id, opened),
      });
      transport = opened;
      await createMcpServer().connect(transport);
    }
    await transport.handleRequest(request, response);
  });
}

const [mode, port] = process.argv.slice(2);
if (mode === 'http') await serveSessions(port);
else if (mode === 'http-stateless') {
  const { toNodeHandler } = await import('@modelcontextprotocol/node');
  await listenGuarded(port, toNodeHandler(createMcpHandler(createMcpServer, { responseMode: 'json' })));
} else {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  serveStdio(createMcpServer);
}
