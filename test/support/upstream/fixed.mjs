// A server with one tool, whose result is the content of a file.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file] = process.argv.slice(2);
const annotations = { readOnlyHint: true };
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'fixed', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'get', inputSchema: { type: 'object' }, annotations }] }),
  'tools/call': () => JSON.parse(readFileSync(file, 'utf8')),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = answers[method]?.(params);
  const reply = result ? { result } : { error: { code: -32601, message: 'unknown' } };
  if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`);
});
