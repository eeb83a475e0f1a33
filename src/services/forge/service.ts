// The forge service: APIs that the user added become tools, which are found and called, but not listed one by one.
import type { Service } from '../../core/service.ts';
import type { Folders } from '../../graph/project/grant.ts';
import { createCallTools } from './call/tools.ts';
import { createFindTool } from './find/find.ts';
import type { Forge, ForgeOptions } from './forge.ts';
import { head } from './head.ts';
import { createSourceTool } from './source/tool.ts';

/** Loads the code behind the tools when one is called. */
export type OpenForge = () => Promise<Forge>;

export function createForgeService(folders: Folders, options: ForgeOptions): Service {
  let opening: Promise<Forge> | undefined;
  const open: OpenForge = () => {
    opening ??= import('./forge.ts').then(({ openForge }) => openForge(options));
    return opening;
  };
  const tools = [createFindTool(open), ...createCallTools(open, folders), createSourceTool(open)];
  return {
    ...head,
    tools: () => tools,
    permissionNames: async () => (await (await open()).sources.list()).map(({ name }) => name),
  };
}
