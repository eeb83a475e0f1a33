// One source, or those of a repository, as a service of its own, for exported servers and `lore stdio --source`: all tools are listed if there are
// few, otherwise those that are pinned, and the tools that find and run the others.
import { localCaller } from '../../core/call.ts';
import { LoreError } from '../../core/error.ts';
import type { Service } from '../../core/service.ts';
import type { Tool } from '../../core/tool.ts';
import type { ToolProvider, ToolSource } from '../../core/tool-provider.ts';
import { createForgeProvider, type OpenSources } from './provider.ts';
import { createToolSurface, type SurfaceOptions } from './surface/create.ts';
import { costOf, describePin } from './surface/pinned.ts';
import type { Pin } from './surface/pins.ts';

export interface AloneOptions extends SurfaceOptions {
  /** Of its sources. */
  names: readonly string[];
  title: string;
  open: OpenSources;
}

export function createAloneService({ names, title, open, ...options }: AloneOptions): Service {
  const all = createForgeProvider(open);
  const toolProvider: ToolProvider = {
    ...all,
    source: async (wanted, caller) => (names.includes(wanted) ? all.source?.(wanted, caller) : undefined),
    sources: async (caller) => (await all.sources(caller)).filter(({ name }) => names.includes(name)),
  };
  const own = createToolSurface(options);
  let few: Tool[] | undefined;
  return {
    id: 'forge',
    title,
    summary: `call ${title}: tool_find finds its tools, tool_read and tool_write run them.`,
    tools: () => few ?? [...own.tools, ...own.listPinned()],
    toolProvider,
    permissionNames: async () => names,
    async start(host) {
      own.start(host);
      few = await listFew(await toolProvider.sources(localCaller));
    },
    stop: own.stop,
  };

  /** Undefined if there are too many, or if one cannot be listed. */
  async function listFew(sources: readonly ToolSource[]): Promise<Tool[] | undefined> {
    const most = options.pinBudget();
    if (sources.reduce((sum, { tools }) => sum + tools, 0) > most.tools) return undefined;
    try {
      const pins = (await Promise.all(sources.map(describeAll))).flat();
      if (pins.reduce((sum, pin) => sum + costOf(pin), 0) > most.tokens) return undefined;
      // Reads the rest of long answers.
      return [...pins.map(own.open), ...own.tools.filter(({ name }) => name === 'tool_read')];
    } catch (error) {
      if (error instanceof LoreError) return undefined;
      throw error;
    }
  }

  async function describeAll(source: ToolSource): Promise<Pin[]> {
    const catalog = (await toolProvider.catalog(source.name, localCaller)).filter(({ isHidden }) => !isHidden);
    return Promise.all(catalog.map((tool) => describePin({ provider: toolProvider, source, tool })));
  }
}
