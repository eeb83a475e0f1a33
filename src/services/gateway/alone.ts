// The tools of one mount as real ones, under their own names and with their own schemas, for `lore stdio --source`. Results are passed
// on as they are. Tools in quarantine are not listed.
import type { Soon } from '../../core/attempt.ts';
import { type Call, localCaller } from '../../core/call.ts';
import * as s from '../../core/schema.ts';
import { showHidden } from '../../core/text/fence.ts';
import type { Tool } from '../../core/tool.ts';
import type { ProvidedTool, ToolArguments, ToolSource } from '../../core/tool-provider.ts';
import { type PlainResult, readPlain } from './call/answer.ts';
import { acceptArguments, type CallState, locateMounted, runMounted } from './call/run.ts';
import { catalogOf, type MountedTool } from './catalog.ts';
import { iconsOf } from './describe.ts';
import type { Gateway } from './gateway.ts';
import { viewIn } from './mount/profile.ts';
import { describeSource } from './provider.ts';

export interface AloneMount {
  readonly name: string;
  /** Throws if the tool may not run. */
  permit(tool: ProvidedTool, source: ToolSource, args: ToolArguments, call: Call): Soon<void>;
}

export type AloneTools = () => Tool[];

export function createAloneTools(gateway: Gateway, calls: CallState, { name, permit }: AloneMount): AloneTools {
  async function run(tool: string, given: ToolArguments, call: Call): Promise<PlainResult> {
    const located = await locateMounted(gateway, name, tool, call.caller);
    const args = acceptArguments(located, given);
    await permit(located.mounted.provided, describeSource(gateway, located.state), args, call);
    return runMounted(gateway, calls, located, args, call, readPlain);
  }

  function open({ provided, tool, schema }: MountedTool): Tool {
    const { outputSchema } = tool;
    const listed = {
      name: tool.name,
      title: showHidden(tool.title ?? tool.name),
      description: showHidden(tool.description ?? ''),
      effect: provided.effect,
      openWorld: true,
      ...iconsOf(tool),
      waits: true,
      ...(provided.effect !== 'read' && { audited: true as const }),
      // Checked when it runs, together with the locked arguments.
      input: { ...s.record(s.json()), json: schema },
      // Checked by the client, as without us.
      ...(s.isObject(outputSchema) && {
        output: { ...s.json(), json: outputSchema, read: (value: unknown) => (value as PlainResult).structured },
      }),
      render: ({ content }: PlainResult) => content,
      run: (args: ToolArguments, call: Call) => run(provided.name, args, call),
    };
    return listed as Tool;
  }

  return () => {
    const state = gateway.store.find(name);
    return state
      ? catalogOf(viewIn(state, localCaller.folder)).flatMap((one) => (one.trust === 'approved' ? open(one) : []))
      : [];
  };
}
