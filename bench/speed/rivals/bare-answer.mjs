// What a bare server knows of MCP: parse, look the method up, answer. No validation, no layers, no cached strings:
// the least work an honest server can do, and therefore the 1.0 of every ratio.
import { tools } from './tools.mjs';

const byName = new Map(tools.map((tool) => [tool.name, tool]));

/** @param {any} message @returns {object | undefined} the answer; undefined for a notification */
export function answerMessage(message) {
  const { id, method, params } = message;
  if (id === undefined) return undefined;
  switch (method) {
    case 'initialize':
      return {
        jsonrpc: '2.0',
        id,
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'bare', version: '1.0.0' },
        },
      };
    case 'ping':
      return { jsonrpc: '2.0', id, result: {} };
    case 'tools/list':
      return {
        jsonrpc: '2.0',
        id,
        result: { tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })) },
      };
    case 'tools/call': {
      const tool = byName.get(params.name);
      if (!tool) return { jsonrpc: '2.0', id, error: { code: -32602, message: 'Unknown tool' } };
      return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: tool.run(params.arguments) }] } };
    }
    default:
      return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
  }
}
