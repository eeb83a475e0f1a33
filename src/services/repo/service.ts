// The repository service: reads, lists and searches a code base, local or at a git address.
import type { Service } from '../../core/service.ts';
import type { GraphAccess } from '../../graph/access.ts';
import type { Folders } from '../../graph/project/grant.ts';
import { createRepoContext, type RepoSettings } from './context.ts';
import { head } from './head.ts';
import { createIndexer } from './index/indexer.ts';
import { createIndexTool } from './index/tool.ts';
import { createFileTemplates } from './read/resources.ts';
import type { FindSymbol } from './read/symbol.ts';
import { createReadTools } from './read/tools.ts';
import { createSearchTool } from './search/tool.ts';
import { createMapTool } from './shape/map-tool.ts';
import { createSymbolTemplates } from './shape/resources.ts';
import { createSymbolTool } from './shape/symbol-tool.ts';

export function createRepoService(access: GraphAccess, folders: Folders, settings: RepoSettings = {}): Service {
  const context = createRepoContext(folders, settings);
  const indexer = createIndexer(access, context.isClone);
  const findSymbol: FindSymbol = async (call, place, path, symbol) => {
    const { findSymbolRange } = await import('./shape/symbol-range.ts');
    return findSymbolRange(await context.enter(call, place), path, symbol);
  };
  const tools = [
    createIndexTool(context, indexer),
    createSearchTool(context, indexer),
    ...createReadTools(context, findSymbol),
    createMapTool(context, indexer),
    createSymbolTool(context, indexer),
  ];
  return {
    ...head,
    kinds: { file: 'search_code', symbol: 'search_code' },
    tools: () => tools,
    templates: () => [...createFileTemplates(context), ...createSymbolTemplates(context)],
    start(host) {
      context.start(host);
      indexer.start(host);
    },
    async stop() {
      context.stop();
      await indexer.stop();
    },
  };
}
