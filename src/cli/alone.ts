// Serving one source alone: `lore stdio --source` and `--repo`, and the same of `lore serve`. Clients get its tools and nothing else.
import { basename, join } from 'node:path';
import type { App } from '../app.ts';
import { loadConfig } from '../config/load.ts';
import type { Invocation, Option } from '../core/command.ts';
import { folderBeside } from '../core/location.ts';
import { startServer } from './start.ts';

export const aloneOptions: Record<'source' | 'repo', Option> = {
  source: { type: 'string', help: 'Serve only the tools of this source of lore forge', value: 'name' },
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
  const forge = openForge({ folder, reserved: async () => [] });
  const { name, title } =
    repo === undefined
      ? await forge.sources.get(source as string)
      : (await forge.add({ name: source ?? nameOf(repo), from: repo, isPerson: true })).source;
  const { pinned_tools: tools, pinned_tokens: tokens } = config.values;
  const app = await startServer(invocation, {
    only: true,
    services: ({ registry, folders }) => [
      createAloneService({
        name,
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
