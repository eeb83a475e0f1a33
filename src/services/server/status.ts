// status: version, uptime, services and store.
import { LoreError } from '../../core/error.ts';
import type { ServiceStatus } from '../../core/registry.ts';
import * as s from '../../core/schema.ts';
import { defineTool } from '../../core/tool.ts';
import { version } from '../../core/version.ts';
import type { GraphAccess } from '../../graph/access.ts';

const serviceState = s.object({
  id: s.string(),
  title: s.string(),
  state: s.oneOf(['running', 'failed']),
  tools: s.integer({ min: 0 }),
  problem: s.optional(s.string({ description: 'Why it failed' })),
});

const storeState = s.object({
  engine: s.oneOf(['sqlite', 'postgres']),
  location: s.string(),
  nodes: s.optional(s.integer({ min: 0 })),
  problem: s.optional(s.string({ description: 'Why it cannot be used' })),
});

export function createStatusTool(services: () => ServiceStatus[], graph: GraphAccess) {
  return defineTool({
    name: 'status',
    title: 'Server status',
    description:
      'Version, uptime, services and store of this Lorekeeper server. Call it when a tool is missing or fails.',
    effect: 'read',
    input: s.object({}),
    output: s.object({
      name: s.string(),
      version: s.string(),
      uptimeSeconds: s.integer({ min: 0 }),
      services: s.list(serviceState),
      store: storeState,
    }),
    run: async () => ({
      name: 'lorekeeper',
      version,
      uptimeSeconds: Math.floor(process.uptime()),
      services: services().map(({ summary: _, ...service }) => service),
      store: await examineStore(graph),
    }),
    render({ name, services: running, uptimeSeconds, store }) {
      const lines = running.map(({ id, state, tools, problem }) => {
        const count = `${tools} ${tools === 1 ? 'tool' : 'tools'}`;
        return `- ${id}: ${state === 'running' ? count : `failed: ${problem}`}`;
      });
      const kept = store.problem ?? `${store.nodes} nodes in ${store.location}`;
      return [`${name} ${version}, up ${uptimeSeconds} s`, `Store: ${kept}`, 'Services:', ...lines].join('\n');
    },
  });
}

/** A store that cannot be used is what a person calling this most wants to hear of, so it does not fail the call. */
async function examineStore(graph: GraphAccess): Promise<s.Infer<typeof storeState>> {
  const { engine, location } = graph;
  try {
    const opened = await graph.open();
    return { engine, location, nodes: await opened.countNodes() };
  } catch (error) {
    if (!(error instanceof LoreError)) throw error;
    return { engine, location, problem: error.message };
  }
}
