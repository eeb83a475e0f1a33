// fastmcp, the most used framework on top of the official SDK. `stdio`, or `http PORT` with sessions and JSON answers.
import { FastMCP } from 'fastmcp';
import { tools } from './tools.mjs';
import { buildZodSchema } from './zod-schema.mjs';

const server = new FastMCP({ name: 'fastmcp', version: '1.0.0' });
for (const tool of tools) {
  server.addTool({
    name: tool.name,
    description: tool.description,
    parameters: buildZodSchema(tool),
    execute: async (args) => tool.run(args),
  });
}

const [mode, port] = process.argv.slice(2);
if (mode === 'http') {
  await server.start({
    transportType: 'httpStream',
    httpStream: { port: Number(port), host: '127.0.0.1', enableJsonResponse: true },
  });
} else await server.start({ transportType: 'stdio' });
