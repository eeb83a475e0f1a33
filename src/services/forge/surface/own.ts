// Tools of this product that the settings hide from the list of some client: they are found and called like those of a provider,
// under their own names, through the registry's door.
import { type Call, type Caller, callAs } from '../../../core/call.ts';
import { isObject, type JsonSchema } from '../../../core/schema.ts';
import type { Host } from '../../../core/service.ts';
import type { Tool } from '../../../core/tool.ts';
import type { ProvidedTool, ToolProvider, ToolSource } from '../../../core/tool-provider.ts';

export interface OwnTools extends ToolProvider {
  find(name: string, caller: Caller): ProvidedTool | undefined;
  /** Also one that is listed for every client: a model may look for it here nevertheless. */
  findListed(name: string, caller: Caller): ProvidedTool | undefined;
}

/** Our own results are text for a model already. */
export const ownKind = 'Lorekeeper';

export function ownSource(tools: number): ToolSource {
  return { name: 'lorekeeper', title: 'Lorekeeper’s own tools', kind: ownKind, origin: 'here', tools, state: 'ready' };
}

export function createOwnTools(
  host: () => Pick<Host, 'hiddenTools' | 'hiddenTool' | 'callableTool' | 'call'> | undefined,
): OwnTools {
  const provided = new WeakMap<Tool, ProvidedTool>();
  const schemas = new WeakMap<ProvidedTool, JsonSchema>();
  let last: readonly ProvidedTool[] = [];
  const provide = (tool: Tool) => {
    const known = provided.get(tool) ?? toTool(tool);
    provided.set(tool, known);
    schemas.set(known, tool.input.json);
    return known;
  };
  const list = (caller: Caller) => {
    const tools = (host()?.hiddenTools(caller) ?? []).map(provide);
    // The same array while nothing changed.
    if (tools.length !== last.length || tools.some((tool, at) => tool !== last[at])) last = tools;
    return last;
  };
  return {
    find(name, caller) {
      const tool = host()?.hiddenTool(name, caller);
      return tool && provide(tool);
    },
    findListed(name, caller) {
      const tool = host()?.callableTool(name, caller);
      return tool && provide(tool);
    },
    async sources(caller) {
      const { length } = list(caller);
      return length === 0 ? [] : [ownSource(length)];
    },
    catalog: async (_, caller) => list(caller),
    describe: async (tool) => schemas.get(tool),
    // The door checks them.
    accept: async (_, args) => args,
    async run({ name }, args, { call }) {
      const { content, structured } = (await host()?.call(name, args, stayHere(call))) ?? { content: [] };
      const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
      return { text: texts.join('\n'), ...(isObject(structured) && { data: structured }) };
    },
  };
}

/** The result belongs to the outer call, so the work cannot move to the background without it. */
function stayHere(call: Call): Call {
  const inner: Call = {
    ...callAs(call, call.caller),
    signal: call.signal,
    waiting: false,
    background: (work) => work(inner),
  };
  return inner;
}

function toTool({ name, title, description, effect, input }: Tool): ProvidedTool {
  const { properties, required } = input.json as { properties?: object; required?: string[] };
  const names = Object.keys(properties ?? {});
  const signature = names.map((argument) => `${argument}${required?.includes(argument) ? '*' : ''}`).join(', ');
  return {
    name,
    source: 'lorekeeper',
    effect,
    summary: title,
    description,
    signature: `(${signature})`,
    key: name,
    words: names.join(' '),
    returns: '',
  };
}
