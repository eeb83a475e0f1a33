// Pinning: `lore forge pin` and `unpin`. The tool that does it finds the tools of every provider.
import type { App } from '../app.ts';
import { createPlainCall, personCaller } from '../core/call.ts';
import type { Output } from '../core/command.ts';
import { LoreError } from '../core/error.ts';
import { toolNameOf } from '../core/tool-provider.ts';
import { alignColumns } from './output.ts';

interface Pinned {
  name: string;
  description: string;
  listed: boolean;
}

export async function pinTool(
  app: App,
  mode: 'pin' | 'unpin',
  source: string,
  tool: string | undefined,
  output: Output,
): Promise<number> {
  const name = tool === undefined ? undefined : toolNameOf(source, tool.replace(`${source}_`, ''));
  if (mode === 'pin' && name !== undefined && app.registry.find(name) && !(await isPinned(app, name)))
    throw new LoreError('conflict', `Cannot pin "${name}": a tool of Lorekeeper has this name`);
  const pinned = name === undefined ? await call(app, 'list', []) : await call(app, mode, [name]);
  if (output.json) output.printJson(pinned);
  else if (pinned.length === 0) output.print('No tool is pinned.');
  else {
    const rows = pinned.map((pin) => [pin.name, pin.listed ? 'listed' : 'beyond the budget', pin.description]);
    output.print(alignColumns(rows));
    if (pinned.some(({ listed }) => !listed))
      output.note('The settings pinned_tools and pinned_tokens limit the list.');
  }
  return 0;
}

/** After a change of a source: clients see the changed tools at once. */
export async function renewPins(app: App): Promise<void> {
  if (app.registry.find('tool_pin')) await call(app, 'renew', []);
}

async function isPinned(app: App, name: string): Promise<boolean> {
  return (await call(app, 'list', [])).some((pin) => pin.name === name);
}

async function call(app: App, mode: string, names: string[]): Promise<Pinned[]> {
  const result = await app.registry.call('tool_pin', { mode, names }, createPlainCall(personCaller));
  return (result.structured as { pinned: Pinned[] }).pinned;
}
