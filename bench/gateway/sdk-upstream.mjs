// The same echo with twenty tools as most servers are written: with the official SDK.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'sdk', version: '1' });
for (let at = 0; at < 20; at++)
  server.registerTool(
    at === 0 ? 'echo' : `helper_${at}`,
    {
      description: at === 0 ? 'Repeats a text.' : `Helper ${at}.`,
      inputSchema: { value: z.string() },
      annotations: { readOnlyHint: true },
    },
    ({ value }) => ({ content: [{ type: 'text', text: value }] }),
  );
await server.connect(new StdioServerTransport());
