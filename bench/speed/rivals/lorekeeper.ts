// Lorekeeper with the bench's 40 tools in place of its own, put together the way `lore serve` does it and with its
// production defaults. Bundled by ../build.mjs; started like the rivals, as `stdio` or `http PORT`.
import { createApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { createLog } from '../../../src/core/log.ts';
import * as s from '../../../src/core/schema.ts';
import type { Service } from '../../../src/core/service.ts';
import { defineTool } from '../../../src/core/tool.ts';
import { type BenchTool, tools } from './tools.mjs';

const schemaOf = { string: s.string, integer: s.integer, boolean: s.boolean };

function buildInput({ inputSchema: { properties, required = [] } }: BenchTool) {
  const shape = Object.entries(properties).map(([name, { type, description }]) => {
    const schema: s.Schema<unknown> = schemaOf[type]({ description });
    return [name, required.includes(name) ? schema : s.optional(schema)] as const;
  });
  return s.object(Object.fromEntries(shape));
}

const benchTools = tools.map((tool) =>
  defineTool({
    name: tool.name,
    title: tool.name,
    description: tool.description,
    effect: 'read',
    input: buildInput(tool),
    run: (args) => tool.run(args),
  }),
);

const bench: Service = {
  id: 'bench',
  title: 'Bench',
  summary: 'The tools every server of the speed bench has.',
  tools: () => benchTools,
};

const [mode, port] = process.argv.slice(2);
const flags = mode === 'http' ? { port } : {};
const config = loadConfig({ flags });
const app = await createApp({ config, log: createLog(config.values.log_level), services: [bench] });
// The product's own services are started, because starting them is part of a cold start, and leave the list to the 40.
const own = app.registry.services().flatMap(({ id }) => (id === bench.id ? [] : [id]));
for (const id of own) await app.registry.unregister(id);
app.watch({ flags: { ...flags, disabled_services: own } });

if (mode === 'http') {
  const { serveHttp } = await import('../../../src/transport/http.ts');
  await serveHttp(app);
} else {
  const { serveStdio } = await import('../../../src/transport/stdio.ts');
  await serveStdio(app, { input: process.stdin, output: process.stdout });
}
