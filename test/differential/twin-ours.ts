// One small set of tools, resources and prompts, as a service of ours. Its twin is twin-official.ts.
import { join } from 'node:path';
import {
  type App,
  createApp,
  createLog,
  defineTool,
  LoreError,
  loadConfig,
  type Service,
  schema,
} from '../../src/index.ts';
import { heads } from '../../src/services/heads.ts';
import { pixelPng } from '../conformance/fixture/samples.ts';
import { createFolder } from '../support/folder.ts';

const tools = [
  defineTool({
    name: 'greet',
    title: 'Greet',
    description: 'Greets by name.',
    effect: 'read',
    input: schema.object({ name: schema.string({ description: 'Whom to greet' }) }),
    run: ({ name }) => `Hello, ${name}!`,
  }),
  defineTool({
    name: 'add',
    title: 'Add',
    description: 'Adds two numbers.',
    effect: 'read',
    input: schema.object({ a: schema.number(), b: schema.number() }),
    output: schema.object({ sum: schema.number() }),
    run: ({ a, b }) => ({ sum: a + b }),
    render: ({ sum }) => String(sum),
  }),
  defineTool({
    name: 'limit',
    title: 'Limit',
    description: 'Tells its argument, or the default of it.',
    effect: 'read',
    input: schema.object({ limit: schema.withDefault(schema.integer({ min: 1, max: 9 }), 5) }),
    run: ({ limit }) => `limit ${limit}`,
  }),
  defineTool({
    name: 'picture',
    title: 'Picture',
    description: 'Shows a picture.',
    effect: 'read',
    input: schema.object({}),
    run: () => 'picture',
    render: () => [{ type: 'image', data: pixelPng, mimeType: 'image/png' }],
  }),
  defineTool({
    name: 'fail',
    title: 'Fail',
    description: 'Always fails.',
    effect: 'read',
    input: schema.object({}),
    run(): string {
      throw new LoreError('conflict', 'Cannot do it: it never works');
    },
  }),
  defineTool({
    name: 'count',
    title: 'Count',
    description: 'Reports progress.',
    effect: 'read',
    input: schema.object({}),
    async run(_, call) {
      for (const step of [1, 2, 3]) {
        call.progress(step, 3);
        await new Promise(setImmediate);
      }
      return 'counted';
    },
  }),
];

const twin: Service = {
  id: 'twin',
  title: 'Twin',
  summary: 'What the official server offers too.',
  tools: () => tools,
  resources: () => [
    {
      uri: 'note://one',
      name: 'one',
      title: 'One',
      description: 'The first note.',
      mimeType: 'text/plain',
      read: () => [{ uri: 'note://one', mimeType: 'text/plain', text: 'first' }],
    },
  ],
  templates: () => [
    {
      uriTemplate: 'page://{id}',
      name: 'page',
      title: 'Page',
      description: 'Any page.',
      mimeType: 'text/plain',
      read: ({ id }, uri) => [{ uri, mimeType: 'text/plain', text: `page ${id}` }],
    },
  ],
  prompts: () => [
    {
      name: 'review',
      title: 'Review',
      description: 'Reviews code.',
      arguments: [
        { name: 'code', description: 'What to review', required: true },
        {
          name: 'style',
          description: 'How',
          required: true,
          complete: (typed) => ['strict', 'stern', 'kind'].filter((style) => style.startsWith(typed)),
        },
        { name: 'note', description: 'What else to know', required: false },
      ],
      get: ({ code, style, note = 'nothing' }) => [
        { role: 'user', content: { type: 'text', text: `Review in a ${style} way: ${code}, knowing ${note}` } },
      ],
    },
  ],
};

export function createOurs(): Promise<App> {
  const env = {
    LORE_CONFIG: join(createFolder('settings'), 'config.json'),
    LORE_STRUCTURED: '1',
    LORE_DISABLED_SERVICES: heads.map(({ id }) => id).join(','),
  };
  return createApp({ config: loadConfig({ env }), log: createLog('silent'), services: [twin] });
}
