// tool_source: lets a model add, refresh and remove APIs. Off until a person allows it; what it adds reaches only public
// addresses.
import type { Call } from '../../../core/call.ts';
import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import { fenceAsData } from '../../../core/text/fence.ts';
import { defineTool } from '../../../core/tool.ts';
import type { OpenForge } from '../service.ts';

const modes = ['list', 'add', 'refresh', 'remove'] as const;

export function createSourceTool(open: OpenForge) {
  return defineTool({
    name: 'tool_source',
    title: 'Manage APIs',
    description: 'List, add, refresh or remove the APIs whose tools tool_find finds.',
    effect: 'write',
    allowed: 'off',
    audited: true,
    openWorld: true,
    examples: [
      ['lore tool source', 'all APIs'],
      ['lore tool source --mode refresh --name petstore', 'read its document again'],
    ],
    input: s.object({
      mode: s.withDefault(s.oneOf(modes), 'list'),
      name: s.optional(s.string({ max: 64 })),
      from: s.optional(s.string({ max: 2_000, description: 'Address of an OpenAPI document' })),
    }),
    output: s.object({
      sources: s.list(s.object({ name: s.string(), title: s.string(), operations: s.integer(), origin: s.string() })),
    }),
    async run({ mode, name = '', from = '' }, { signal }: Call) {
      const forge = await open();
      if (mode === 'add') {
        if (!/^https?:\/\//i.test(from)) {
          throw new LoreError('invalid_input', `Cannot add "${from}": expected an address that begins with https://`, {
            hint: `A person can add a file: lore forge add ${name || '<name>'} <file>`,
          });
        }
        if (await forge.sources.find(name)) {
          throw new LoreError('conflict', `Cannot add source "${name}": it exists, and only a person can replace it`);
        }
        await forge.add({ name, from, isPerson: false, signal });
      }
      if (mode === 'refresh') await forge.refresh(name, { isPerson: false, signal });
      if (mode === 'remove') await forge.remove(name);
      const sources = await forge.sources.list();
      return { sources: sources.map(({ name, title, operations, origin }) => ({ name, title, operations, origin })) };
    },
    render: ({ sources }) =>
      sources.length === 0
        ? 'No API has been added.'
        : fenceAsData(
            sources.map(({ name, title, operations, origin }) => ({
              id: name,
              label: `${operations} tools · ${origin}`,
              text: title,
            })),
            'from the documents of APIs',
          ),
  });
}
