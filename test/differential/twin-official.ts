// The twin of twin-ours.ts, written for the official server the way its documentation does.
import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
// Comes with the SDK, whose schemas are its.
import { z } from 'zod';
import { pixelPng } from '../conformance/fixture/samples.ts';

const styles = ['strict', 'stern', 'kind'];

function say(text: string) {
  return { content: [{ type: 'text' as const, text }] };
}

export function createOfficial(): McpServer {
  const server = new McpServer({ name: 'official', version: '1' }, { capabilities: { logging: {} } });
  server.registerTool(
    'greet',
    { title: 'Greet', description: 'Greets by name.', inputSchema: { name: z.string().describe('Whom to greet') } },
    ({ name }) => say(`Hello, ${name}!`),
  );
  server.registerTool(
    'add',
    {
      title: 'Add',
      description: 'Adds two numbers.',
      inputSchema: { a: z.number(), b: z.number() },
      outputSchema: { sum: z.number() },
    },
    ({ a, b }) => ({ ...say(String(a + b)), structuredContent: { sum: a + b } }),
  );
  server.registerTool(
    'limit',
    {
      title: 'Limit',
      description: 'Tells its argument, or the default of it.',
      inputSchema: { limit: z.int().min(1).max(9).default(5) },
    },
    ({ limit }) => say(`limit ${limit}`),
  );
  server.registerTool('picture', { title: 'Picture', description: 'Shows a picture.', inputSchema: {} }, () => ({
    content: [{ type: 'image', data: pixelPng, mimeType: 'image/png' }],
  }));
  server.registerTool('fail', { title: 'Fail', description: 'Always fails.', inputSchema: {} }, () => {
    throw new Error('Cannot do it: it never works');
  });
  server.registerTool(
    'count',
    { title: 'Count', description: 'Reports progress.', inputSchema: {} },
    async (_, { _meta, sendNotification }) => {
      const progressToken = _meta?.progressToken;
      for (const progress of [1, 2, 3]) {
        if (progressToken !== undefined) {
          await sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } });
        }
        await new Promise(setImmediate);
      }
      return say('counted');
    },
  );
  addResources(server);
  return server;
}

function addResources(server: McpServer): void {
  const plain = { mimeType: 'text/plain' };
  server.registerResource('one', 'note://one', { title: 'One', description: 'The first note.', ...plain }, () => ({
    contents: [{ uri: 'note://one', ...plain, text: 'first' }],
  }));
  server.registerResource(
    'page',
    new ResourceTemplate('page://{id}', { list: undefined }),
    { title: 'Page', description: 'Any page.', ...plain },
    (uri, { id }) => ({ contents: [{ uri: uri.href, ...plain, text: `page ${id}` }] }),
  );
  const style = completable(z.string().describe('How'), (typed) =>
    styles.filter((candidate) => candidate.startsWith(typed)),
  );
  const note = z.string().optional().describe('What else to know');
  server.registerPrompt(
    'review',
    {
      title: 'Review',
      description: 'Reviews code.',
      argsSchema: { code: z.string().describe('What to review'), style, note },
    },
    ({ code, style: chosen, note: known = 'nothing' }) => ({
      messages: [
        { role: 'user', content: { type: 'text', text: `Review in a ${chosen} way: ${code}, knowing ${known}` } },
      ],
    }),
  );
}
