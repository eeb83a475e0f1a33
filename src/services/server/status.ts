// status: version, uptime, services and store.
import type { ServiceStatus } from '../../core/registry.ts';
import * as s from '../../core/schema.ts';
import { defineTool } from '../../core/tool.ts';
import { version } from '../../core/version.ts';

const serviceState = s.object({
  id: s.string(),
  title: s.string(),
  state: s.oneOf(['running', 'failed']),
  tools: s.integer({ min: 0 }),
  problem: s.optional(s.string({ description: 'Why it failed' })),
});

export function createStatusTool(services: () => ServiceStatus[]) {
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
      store: s.oneOf(['none'], { description: 'The database behind the graph' }),
    }),
    run: () => ({
      name: 'lorekeeper',
      version,
      uptimeSeconds: Math.floor(process.uptime()),
      services: services().map(({ summary: _, ...service }) => service),
      store: 'none' as const,
    }),
    render({ name, services: running, uptimeSeconds, store }) {
      const lines = running.map(({ id, state, tools, problem }) => {
        const count = `${tools} ${tools === 1 ? 'tool' : 'tools'}`;
        return `- ${id}: ${state === 'running' ? count : `failed: ${problem}`}`;
      });
      return [`${name} ${version}, up ${uptimeSeconds} s, store: ${store}`, 'Services:', ...lines].join('\n');
    },
  });
}
