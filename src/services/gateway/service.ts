// The gateway service: other MCP servers that the user mounted, whose tools are found and called like those of APIs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeError } from '../../core/log.ts';
import type { Host, Service } from '../../core/service.ts';
import type { ToolProvider } from '../../core/tool-provider.ts';
import type { Gateway, GatewayOptions } from './gateway.ts';
import { head } from './head.ts';

const sweepAfterMs = 1_000;

/** Loads the code when there is a mount: most users have none, and others not in every session. */
export function createGatewayService(options: Omit<GatewayOptions, 'changed'>): Service {
  let host: Host | undefined;
  let opening: Promise<{ gateway: Gateway; provider: ToolProvider }> | undefined;
  const folder = join(options.folder, head.id);
  const open = () => {
    opening ??= load();
    return opening;
  };
  async function load() {
    const [{ openGateway }, { createMountProvider }] = await Promise.all([
      import('./gateway.ts'),
      import('./provider.ts'),
    ]);
    const gateway = openGateway({ ...options, changed: () => host?.changed('tools') });
    return { gateway, provider: createMountProvider(gateway) };
  }
  const sweep = async ({ log }: Host) => {
    const { sweepOrphans } = await import('./life/holder.ts');
    await sweepOrphans(join(folder, 'run')).catch((error) => log.warn('orphans_not_ended', describeError(error)));
  };
  const provider = async () => (await open()).provider;
  return {
    ...head,
    permissionNames: async () =>
      existsSync(folder) ? (await open()).gateway.store.list().map(({ mount }) => mount.name) : [],
    toolProvider: {
      isUnrecorded: true,
      sources: async (caller) => (opening || existsSync(folder) ? (await provider()).sources(caller) : []),
      catalog: async (source, caller) => (await provider()).catalog(source, caller),
      describe: async (tool) => (await provider()).describe(tool),
      accept: async (tool, args) => (await provider()).accept(tool, args),
      run: async (tool, args, call) => (await provider()).run(tool, args, call),
    },
    start(running) {
      host = running;
      // Not in the way of the first calls.
      if (existsSync(join(folder, 'run'))) setTimeout(() => void sweep(running).catch(() => {}), sweepAfterMs).unref();
    },
    async stop() {
      const opened = await opening?.catch(() => undefined);
      opening = undefined;
      await opened?.gateway.close();
    },
  };
}
