// Reads everything that a server offers, so that later nothing has to be started to list it.
import type { Client, ListName } from '../../../client/client.ts';
import { UpstreamFailure } from '../../../client/wire.ts';
import { LoreError } from '../../../core/error.ts';
import type { UpstreamTool } from '../trust/definition.ts';
import type { PackageFacts } from '../trust/package.ts';
import type { ServerListing } from './mount.ts';

/** For one list, which a server may compute. */
const timeoutMs = 60_000;
const mostBytes = 8 << 20;
const methodNotFound = -32_601;

/** `known` is what it offered before. */
export async function readListing(
  client: Client,
  known: ServerListing | undefined,
  installed?: PackageFacts,
): Promise<ServerListing> {
  const list = async (kind: ListName) => {
    try {
      return await client.list(kind, { signal: AbortSignal.timeout(timeoutMs) });
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      // Some servers declare lists that they do not have.
      if (error.code === methodNotFound || kind !== 'tools') return [];
      // Tools that are gone lose their approval, and a failure does not mean that they are.
      if (known) return [...known.tools];
      throw new LoreError('unavailable', 'Cannot use the server: it cannot list its tools', { cause: error });
    }
  };
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    list('tools'),
    list('resources'),
    list('resourceTemplates'),
    list('prompts'),
  ]);
  const listing: ServerListing = {
    server: client.server,
    tools: tools.filter(isTool),
    resources,
    resourceTemplates,
    prompts,
    ...(installed && { package: installed }),
    at: Date.now(),
  };
  // The rest is useful without a list of a million resources.
  return JSON.stringify(listing).length > mostBytes ? { ...listing, resources: [], resourceTemplates: [] } : listing;
}

function isTool(tool: { readonly [key: string]: unknown }): tool is UpstreamTool {
  return typeof tool.name === 'string' && tool.name !== '' && tool.name.length <= 200;
}

export function isSameListing(a: ServerListing | undefined, b: ServerListing): boolean {
  return a !== undefined && JSON.stringify({ ...a, at: 0 }) === JSON.stringify({ ...b, at: 0 });
}
