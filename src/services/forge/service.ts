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
import { createCallTools, createRunner } from './surface/call.ts';
import { createFindTool } from './surface/find.ts';
import { createOwnTools } from './surface/own.ts';
import { createPinTool } from './surface/pin.ts';
import { createPinnedTool, type PinBudget, type RunPinned, selectPins } from './surface/pinned.ts';
import { PinStore } from './surface/pins.ts';
import type { Surface } from './surface/providers.ts';

/** Loads the code behind the tools when one is called. */
export type OpenForge = () => Promise<Forge>;

const defaultPinBudget: PinBudget = { tools: 12, tokens: 4_000 };

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
  let host: Host | undefined;
  const folder = join(options.folder, 'forge');
  const surface: Surface = {
    providers: () => host?.toolProviders() ?? [],
    policy,
    own: createOwnTools(() => host),
    answers: new AnswerStore(join(folder, 'answers'), folders),
    pins: new PinStore(folder),
  };
  const run = createRunner(surface, folders);
  const runPinned: RunPinned = (name, args, call) => run({ name, arguments: args }, call, false);
  const tools = [
    createFindTool(surface),
    ...createCallTools(run),
    createSourceTool(open),
    createPinTool(surface, pinBudget),
  ];
  let unwatch = () => {};
  return {
    ...head,
    tools: () => [...tools, ...selectPins(surface, pinBudget()).map((pin) => createPinnedTool(pin, runPinned))],
    toolProvider: createForgeProvider(open),
    permissionNames: async () => (await (await open()).sources.list()).map(({ name }) => name),
    start(given) {
      host = given;
      unwatch = surface.pins.watch(() => given.changed('tools'));
    },
    stop: () => unwatch(),
  };
}
