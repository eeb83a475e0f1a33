// The tools of all providers: which sources a caller may use, and which tool a name means.
import type { Soon } from '../../../core/attempt.ts';
import type { Caller } from '../../../core/call.ts';
import { LoreError } from '../../../core/error.ts';
import { levelOf } from '../../../core/registry/permission.ts';
import { didYouMean } from '../../../core/text/similar-names.ts';
import {
  isSourceName,
  missingTool,
  type ProvidedTool,
  splitToolName,
  type ToolProvider,
  type ToolSource,
} from '../../../core/tool-provider.ts';
import type { AnswerStore } from './answers.ts';
import { type OwnTools, ownSource } from './own.ts';
import type { PermissionRules } from './permit.ts';
import type { PinStore } from './pins.ts';

export interface Surface extends PermissionRules {
  /** Of the services that are running now. */
  providers(): readonly ToolProvider[];
  /** Tools of this product that a client's list may lack. */
  readonly own: OwnTools;
  readonly answers: AnswerStore;
  readonly pins: PinStore;
}

export interface OwnedSource {
  provider: ToolProvider;
  source: ToolSource;
}

export interface OwnedTool extends OwnedSource {
  tool: ProvidedTool;
}

/** By name. A name that two providers use belongs to the first. */
export async function listSources({ providers, own }: Surface, caller: Caller): Promise<OwnedSource[]> {
  const lists = await Promise.all(
    [...providers(), own].map(async (provider) =>
      (await provider.sources(caller)).map((source) => ({ provider, source })),
    ),
  );
  const known = new Map(
    lists
      .flat()
      .reverse()
      .map((owned) => [owned.source.name, owned]),
  );
  return [...known.values()].sort((a, b) => (a.source.name < b.source.name ? -1 : 1));
}

export function isUsable({ policy }: Surface, { name }: ToolSource): boolean {
  return levelOf(policy(), { name, effect: 'read', allowed: 'read' }, name) !== 'off';
}

/** Without a promise, unless a provider needs one: every call asks. */
function findSource(
  providers: readonly ToolProvider[],
  name: string,
  caller: Caller,
  from = 0,
): Soon<OwnedSource | undefined> {
  for (let at = from; at < providers.length; at++) {
    const provider = providers[at] as ToolProvider;
    const found = provider.source
      ? provider.source(name, caller)
      : provider.sources(caller).then((sources) => sources.find((one) => one.name === name));
    if (found instanceof Promise)
      return found.then((source) => (source ? { provider, source } : findSource(providers, name, caller, at + 1)));
    if (found) return { provider, source: found };
  }
  return undefined;
}

export async function locateSource(surface: Surface, name: string, caller: Caller): Promise<OwnedSource> {
  const found = isSourceName(name) && findSource([...surface.providers(), surface.own], name, caller);
  const owned = found instanceof Promise ? await found : found;
  if (owned) return owned;
  const all = await listSources(surface, caller);
  const names = all.map(({ source }) => source.name);
  throw new LoreError('not_found', `Cannot use source "${name}": there is none of this name`, {
    hint:
      didYouMean(name, names) ??
      (names.length > 0
        ? `Sources: ${names.join(', ')}.`
        : 'A person can add one: lore forge add <name> <file or URL>'),
  });
}

export async function locateTool(surface: Surface, name: string, caller: Caller): Promise<OwnedTool> {
  const own = surface.own.find(name, caller);
  if (own) return { provider: surface.own, source: ownSource(1), tool: own };
  const found = await locateSource(surface, splitToolName(name).source, caller).catch((error: unknown) => {
    // A pin is listed, too, but belongs to its source.
    const isPin = surface.pins.list().some((pin) => pin.name === name);
    const listed = isPin ? undefined : surface.own.findListed(name, caller);
    if (listed) return listed;
    throw error;
  });
  if ('effect' in found) return { provider: surface.own, source: ownSource(1), tool: found };
  const { provider, source } = found;
  const listed = provider.catalog(source.name, caller);
  const catalog = listed instanceof Promise ? await listed : listed;
  const tool = catalog.find((one) => one.name === name);
  if (!tool) throw missingTool(name, catalog);
  return { provider, source, tool };
}
