// tool_pin: a person puts a tool into the list of tools, or removes it again. Commands call it; clients do not see it.
import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import { fenceAsData } from '../../../core/text/fence.ts';
import { defineTool } from '../../../core/tool.ts';
import { describePin, type PinBudget, renewPins, selectPins } from './pinned.ts';
import { locateTool, type Surface } from './providers.ts';

const modes = ['list', 'pin', 'unpin', 'renew'] as const;

export function createPinTool(surface: Surface, budget: () => PinBudget) {
  return defineTool({
    name: 'tool_pin',
    title: 'Pin tools',
    description: 'List a tool from tool_find like any other, or stop listing it.',
    effect: 'write',
    scope: 'person',
    audited: true,
    input: s.object({
      mode: s.withDefault(s.oneOf(modes), 'list'),
      names: s.withDefault(s.list(s.string({ max: 64 }), { max: 100 }), []),
    }),
    output: s.object({
      pinned: s.list(s.object({ name: s.string(), description: s.string(), listed: s.boolean() })),
    }),
    async run({ mode, names }, call) {
      const { pins } = surface;
      if (mode === 'pin') {
        const drafts = await Promise.all(
          names.map(async (name) => describePin(await locateTool(surface, name, call.caller))),
        );
        for (const draft of drafts) await pins.put(draft);
      }
      for (const name of mode === 'unpin' ? names : []) {
        if (!pins.list().some((pin) => pin.name === name))
          throw new LoreError('not_found', `Cannot unpin "${name}": it is not pinned`);
        await pins.remove(name);
      }
      if (mode === 'renew') await renewPins(surface, call);
      const listed = new Set(selectPins(surface, budget()).map(({ name }) => name));
      return {
        pinned: pins.list().map(({ name, description }) => ({ name, description, listed: listed.has(name) })),
      };
    },
    render: ({ pinned }) =>
      pinned.length === 0
        ? 'No tool is pinned.'
        : fenceAsData(
            pinned.map(({ name, description, listed }) => ({
              id: name,
              label: listed ? 'listed' : 'pinned, but beyond the budget of the list',
              text: description,
            })),
            'from the documents of APIs',
          ),
  });
}
