// The tools that find and run those of providers, and the pinned ones, for a service that owns them.
import { join } from 'node:path';
import type { Host } from '../../../core/service.ts';
import type { Tool } from '../../../core/tool.ts';
import type { Folders } from '../../../graph/project/grant.ts';
import { AnswerStore } from './answers.ts';
import { createCallTools, createRunner } from './call.ts';
import { createFindTool } from './find.ts';
import { createOwnTools } from './own.ts';
import type { PermissionRules } from './permit.ts';
import { createPinnedTool, type PinBudget, selectPins } from './pinned.ts';
import { type Pin, PinStore } from './pins.ts';
import type { Surface } from './providers.ts';

export interface SurfaceOptions extends PermissionRules {
  /** For pins and stored answers. */
  folder: string;
  folders: Pick<Folders, 'list'>;
  pinBudget(): PinBudget;
  answers?: string;
}

export interface ToolSurface {
  readonly surface: Surface;
  /** tool_find, tool_read and tool_write. */
  readonly tools: readonly Tool[];
  listPinned(): Tool[];
  /** The tool that a pin describes. */
  open(pin: Pin): Tool;
  start(host: Host): void;
  stop(): void;
}

export function createToolSurface(options: SurfaceOptions): ToolSurface {
  const { folder, folders, pinBudget, policy, explain, answers = join(folder, 'answers') } = options;
  let host: Host | undefined;
  let unwatch = () => {};
  const surface: Surface = {
    providers: () => host?.toolProviders() ?? [],
    policy,
    ...(explain && { explain }),
    own: createOwnTools(() => host),
    answers: new AnswerStore(answers, folders),
    pins: new PinStore(folder),
  };
  const run = createRunner(surface, folders);
  const open = (pin: Pin) => createPinnedTool(pin, (name, args, call) => run({ name, arguments: args }, call, false));
  return {
    surface,
    tools: [createFindTool(surface), ...createCallTools(run)],
    listPinned: () => selectPins(surface, pinBudget()).map(open),
    open,
    start(given) {
      host = given;
      unwatch = surface.pins.watch(() => given.changed('tools'));
    },
    stop: () => unwatch(),
  };
}
