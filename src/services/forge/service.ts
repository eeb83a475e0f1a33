// The forge service: APIs that the user added become tools, which are found and called, but not listed one by one. It also owns
// the tools that find and call those of every other provider.
import { join } from 'node:path';
import type { Policy } from '../../core/registry/permission.ts';
import type { Host, Service } from '../../core/service.ts';
import type { Folders } from '../../graph/project/grant.ts';
import type { Forge, ForgeOptions } from './forge.ts';
import { head } from './head.ts';
import { createForgeProvider } from './provider.ts';
import { createSourceTool } from './source/tool.ts';
import { AnswerStore } from './surface/answers.ts';
import { createCallTools } from './surface/call.ts';
import { createFindTool } from './surface/find.ts';
import type { Surface } from './surface/providers.ts';

/** Loads the code behind the tools when one is called. */
export type OpenForge = () => Promise<Forge>;

export interface ForgeServiceOptions extends ForgeOptions {
  /** The current permissions. */
  policy(): Policy;
}

export function createForgeService(folders: Folders, { policy, ...options }: ForgeServiceOptions): Service {
  let opening: Promise<Forge> | undefined;
  const open: OpenForge = () => {
    opening ??= import('./forge.ts').then(({ openForge }) => openForge(options));
    return opening;
  };
  let host: Host | undefined;
  const answers = new AnswerStore(join(options.folder, 'forge', 'answers'), folders);
  const surface: Surface = { providers: () => host?.toolProviders() ?? [], policy, answers };
  const tools = [createFindTool(surface), ...createCallTools(surface, folders), createSourceTool(open)];
  return {
    ...head,
    tools: () => tools,
    toolProvider: createForgeProvider(open),
    permissionNames: async () => (await (await open()).sources.list()).map(({ name }) => name),
    start(given) {
      host = given;
    },
  };
}
