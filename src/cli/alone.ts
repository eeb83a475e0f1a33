// Serving one source alone: `lore stdio --source` and `--repo`, and the same of `lore serve`. Clients get its tools and nothing else.
import { basename, join, resolve } from 'node:path';
import type { App } from '../app.ts';
import { loadConfig } from '../config/load.ts';
import type { Invocation, Option } from '../core/command.ts';
import { LoreError } from '../core/error.ts';
import { folderBeside } from '../core/location.ts';
import type { Forge } from '../services/forge/forge.ts';
import type { AloneMount } from '../services/gateway/alone.ts';
import { startServer } from './start.ts';

export const aloneOptions: Record<'source' | 'repo', Option> = {
  source: { type: 'string', help: 'Serve only this source of lore forge, or this server of lore mount', value: 'name' },
  repo: { type: 'string', help: 'The same for a repository or document, which is added first', value: 'url' },
};

export function isAlone({ options }: Invocation): boolean {
  return options.source !== undefined || options.repo !== undefined;
}

/** The whole product, unless one source is named. */
export async function startChosen(invocation: Invocation): Promise<App> {
  const { source, repo } = invocation.options as { source?: string; repo?: string };
  if (!isAlone(invocation)) return startServer(invocation);
  const config = loadConfig({ flags: invocation.flags });
  const folder = folderBeside(config.values.db);
  const [{ openForge }, { createAloneService }] = await Promise.all([
    import('../services/forge/forge.ts'),
    import('../services/forge/alone.ts'),
  ]);
  if (source !== undefined && repo === undefined) {
    const mounted = await startMount(invocation, folder, source);
    if (mounted) return mounted;
  }
  const forge = openForge({ folder, reserved: async () => [] });
  const wanted = source ?? nameOf(repo as string);
  if (repo !== undefined) await addOnce(forge, wanted, repo);
  const sources = (await forge.sources.list()).filter((one) => [one.name, one.repository].includes(wanted));
  const { title } = sources[0] ?? (await forge.sources.get(wanted));
  const { pinned_tools: tools, pinned_tokens: tokens } = config.values;
  const app = await startServer(invocation, {
    only: true,
    services: ({ registry, folders }) => [
      createAloneService({
        names: sources.map(({ name }) => name),
        title,
        folder: join(folder, 'forge'),
        folders,
        open: async () => forge,
        policy: () => registry.rules,
        pinBudget: () => ({ tools, tokens }),
      }),
    ],
  });
  // The instructions of the handshake are those of the source.
  await app.load();
  return app;
}

/** Undefined if no mounted server has this name. */
async function startMount(invocation: Invocation, folder: string, name: string): Promise<App | undefined> {
  const { MountStore } = await import('../services/gateway/mount/store.ts');
  const state = new MountStore(join(folder, 'gateway')).find(name);
  if (!state) return undefined;
  const [{ createGatewayService }, { permitCall }] = await Promise.all([
    import('../services/gateway/service.ts'),
    import('../services/forge/surface/permit.ts'),
  ]);
  const title = state.listing?.server.title ?? state.listing?.server.name ?? name;
  const app = await startServer(invocation, {
    only: true,
    services: ({ registry, folders }) => {
      const policy = () => registry.rules;
      const permit: AloneMount['permit'] = (tool, source, args, call) =>
        permitCall({ policy }, { tool, source }, args, call);
      const service = createGatewayService({
        folder,
        reserved: async () => [],
        settle: (caller) => folders.settle(caller),
        policy,
        alone: { name, permit },
      });
      return [{ ...service, title, summary: `the tools, resources and prompts of ${title}.` }];
    },
  });
  await app.load();
  return app;
}

/** A client starts its server for every session: what is there already is served at once. */
async function addOnce(forge: Forge, name: string, from: string): Promise<void> {
  const known = (await forge.sources.list()).filter((one) => one.name === name || one.repository === name);
  if (known.some((one) => one.from === from || one.from === resolve(from))) return;
  // Documents of a repository do not say where it is from: it is read again.
  if (known.some((one) => one.repository !== name || one.code === 'repository')) {
    throw new LoreError('conflict', `Cannot add "${from}" as "${name}": this source was read from elsewhere`, {
      hint: 'Choose another name with --source, or serve the one that is there with --source alone.',
    });
  }
  const { findRepository } = await import('./forge-code.ts');
  const repository = await findRepository(forge, name, from);
  if (!repository) return void (await forge.add({ name, from, isPerson: true }));
  const { added } = await forge.addRepository({ name, ...repository });
  if (added.length === 0) throw new LoreError('not_found', `Cannot serve "${from}": nothing in it can become a tool`);
}

/** `https://github.com/acme/pet-store.git` is `petstore`. */
function nameOf(address: string): string {
  const last = basename(address.replace(/[?#].*$/, '').replace(/\/+$/, '')).replace(
    /\.(?:git|json|ya?ml|graphql)$/i,
    '',
  );
  const plain = last
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/^[0-9]+/, '');
  return plain.slice(0, 12) || 'source';
}
