// The measured upstream: an echo with twenty tools, over stdio, as bare as it can be.
import { createInterface } from 'node:readline';

const inputSchema = { type: 'object', properties: { value: { type: 'string' } } };
const tools = Array.from({ length: 20 }, (_, at) => ({
  name: at === 0 ? 'echo' : `tool_${at}`,
  description: at === 0 ? 'Returns its argument.' : `The tool number ${at}.`,
  inputSchema,
  annotations: { readOnlyHint: true },
}));
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'bare', version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ arguments: { value } }) => ({ content: [{ type: 'text', text: value }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const reply = answer ? { result: answer(params) } : { error: { code: -32601, message: 'unknown' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`);
});
