// The gateway service: other MCP servers that the user mounted, whose tools are found and called like those of APIs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Soon } from '../../core/attempt.ts';
import { describeError } from '../../core/log.ts';
import type { Policy } from '../../core/registry/permission.ts';
import type { Host, Service } from '../../core/service.ts';
import type { ToolProvider } from '../../core/tool-provider.ts';
import type { AloneMount, AloneTools } from './alone.ts';
import type { Gateway, GatewayOptions } from './gateway.ts';
import { head } from './head.ts';
import type { MountOffer } from './offer.ts';
import { createReviewTools } from './review.ts';
import { createMountSkills } from './skills.ts';

export interface GatewayServiceOptions extends Omit<GatewayOptions, 'changed'> {
  /** The current permissions. */
  policy(): Policy;
  /** Only this mount, whose tools are listed one by one. */
  alone?: AloneMount;
}

interface OpenGateway {
  gateway: Gateway;
  provider: ToolProvider;
}

const sweepAfterMs = 1_000;
const followMs = 2_000;

/** Loads the code when there is a mount: most users have none, and others not in every session. */
export function createGatewayService({ policy, alone, ...options }: GatewayServiceOptions): Service {
  let host: Host | undefined;
  let opening: Promise<OpenGateway> | undefined;
  let opened: OpenGateway | undefined;
  let offer: MountOffer | undefined;
  let ownTools: AloneTools | undefined;
  const folder = join(options.folder, head.id);
  const open = () => {
    opening ??= load();
    return opening;
  };
  const changed = () => {
    for (const list of ['tools', 'resources', 'prompts'] as const) host?.changed(list);
  };
  async function load(): Promise<OpenGateway> {
    const [{ openGateway }, { createMountProvider }, { createMountOffer }, { ParkedCalls }, { Lessons }] =
      await Promise.all([
        import('./gateway.ts'),
        import('./provider.ts'),
        import('./offer.ts'),
        import('./call/parked.ts'),
        import('./learn/lessons.ts'),
      ]);
    const gateway = openGateway({ ...options, changed });
    const calls = { parked: new ParkedCalls(), lessons: new Lessons(), isAlone: alone !== undefined };
    offer = createMountOffer({
      gateway,
      parked: calls.parked,
      policy,
      updated: (uri) => host?.updated(uri),
      alone: alone?.name,
    });
    if (alone) ownTools = (await import('./alone.ts')).createAloneTools(gateway, calls, alone);
    opened = { gateway, provider: createMountProvider(gateway, calls) };
    return opened;
  }
  /** Mounts that another process added or removed. */
  let seen: unknown;
  let watching: NodeJS.Timeout | undefined;
  async function follow(): Promise<void> {
    if (!opening && !existsSync(folder)) return;
    const { gateway } = await open();
    const now = gateway.store.list();
    if (seen !== undefined && seen !== now) changed();
    seen = now;
  }
  const sweep = async ({ log }: Host) => {
    const { sweepOrphans } = await import('./life/holder.ts');
    await sweepOrphans(join(folder, 'run')).catch((error) => log.warn('orphans_not_ended', describeError(error)));
  };
  /** Without a promise once it is open: every call asks several times. */
  const withProvider = <T>(use: (provider: ToolProvider) => Soon<T>): Soon<T> =>
    opened ? use(opened.provider) : open().then(({ provider }) => use(provider));
  const tools = createReviewTools(async () => (opening || existsSync(folder) ? (await open()).gateway : undefined));
  return {
    ...head,
    tools: () => (alone ? (ownTools?.() ?? []) : tools),
    permissionNames: async () =>
      existsSync(folder) ? (await open()).gateway.store.list().map(({ mount }) => mount.name) : [],
    toolProvider: {
      isUnrecorded: true,
      sources: async (caller) =>
        opening || existsSync(folder) ? withProvider((provider) => provider.sources(caller)) : [],
      source: (name, caller) =>
        opening || existsSync(folder) ? withProvider((provider) => provider.source?.(name, caller)) : undefined,
      catalog: (source, caller) => withProvider((provider) => provider.catalog(source, caller)),
      describe: async (tool, caller) => withProvider((provider) => provider.describe(tool, caller)),
      accept: (tool, args, caller) => withProvider((provider) => provider.accept(tool, args, caller)),
      run: (tool, args, call) =>
        opened ? opened.provider.run(tool, args, call) : open().then(({ provider }) => provider.run(tool, args, call)),
    },
    ...(alone && { skills: createMountSkills(async () => (await open()).gateway, alone.name) }),
    resources: () => offer?.resources() ?? [],
    templates: () => offer?.templates() ?? [],
    prompts: () => offer?.prompts() ?? [],
    async start(running) {
      host = running;
      // Their resources and prompts are listed.
      if (existsSync(folder)) await open();
      watching = setInterval(() => void follow(), followMs).unref();
      // Not in the way of the first calls.
      if (existsSync(join(folder, 'run'))) setTimeout(() => void sweep(running).catch(() => {}), sweepAfterMs).unref();
    },
    async stop() {
      clearInterval(watching);
      const closing = await opening?.catch(() => undefined);
      opening = undefined;
      opened = undefined;
      offer?.close();
      offer = undefined;
      ownTools = undefined;
      await closing?.gateway.close();
    },
  };
}
