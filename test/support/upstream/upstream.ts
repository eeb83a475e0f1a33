// The path of the small MCP server that tests mount.
import { join } from 'node:path';

export const upstreamFile = join(import.meta.dirname, 'server.mjs');
