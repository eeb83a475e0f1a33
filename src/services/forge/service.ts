// The forge service: APIs that the user added become tools, which are found and called, but not listed one by one. It also owns
// the tools that find and call those of every other provider.
import { join } from 'node:path';
import type { Policy } from '../../core/registry/permission.ts';
import type { Service } from '../../core/service.ts';
import type { Folders } from '../../graph/project/grant.ts';
import type { Forge, ForgeOptions } from './forge.ts';
import { head } from './head.ts';
import { createForgeProvider } from './provider.ts';
import { createSourceTool } from './source/tool.ts';
import { createToolSurface } from './surface/create.ts';
import { createPinTool } from './surface/pin.ts';
import { defaultPinBudget, type PinBudget } from './surface/pinned.ts';

/** Loads the code behind the tools when one is called. */
export type OpenForge = () => Promise<Forge>;

export interface ForgeServiceOptions extends ForgeOptions {
  /** The current permissions. */
  policy(): Policy;
  /** What pinned tools may cost every session. */
  pinBudget?(): PinBudget;
}

export function createForgeService(
  folders: Folders,
  { policy, pinBudget = () => defaultPinBudget, ...options }: ForgeServiceOptions,
): Service {
  let opening: Promise<Forge> | undefined;
  const open: OpenForge = () => {
    opening ??= import('./forge.ts').then(({ openForge }) => openForge(options));
    return opening;
  };
  const own = createToolSurface({ folder: join(options.folder, 'forge'), folders, policy, pinBudget });
  const tools = [...own.tools, createSourceTool(open), createPinTool(own.surface, pinBudget)];
  return {
    ...head,
    tools: () => [...tools, ...own.listPinned()],
    toolProvider: createForgeProvider(open),
    permissionNames: async () => (await (await open()).sources.list()).map(({ name }) => name),
    start: own.start,
    stop: own.stop,
  };
}
