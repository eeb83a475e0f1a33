// The forge as a provider of tools: the operations of every added API.
import type { Caller } from '../../core/call.ts';
import { LoreError } from '../../core/error.ts';
import { isInside } from '../../core/path.ts';
import { type ProvidedTool, type ToolProvider, type ToolSource, toolNameOf } from '../../core/tool-provider.ts';
import { acceptCode, describeCode, findCode, runCode } from './code/run-code.ts';
import type { Forge } from './forge.ts';
import type { CatalogEntry, Source } from './source/source.ts';

/** All that a call needs. */
export type OpenSources = () => Promise<Pick<Forge, 'sources' | 'credentials'>>;

/** A catalog never changes. */
const provided = new WeakMap<readonly CatalogEntry[], ProvidedTool[]>();

export function createForgeProvider(open: OpenSources): ToolProvider {
  let opened: Pick<Forge, 'sources'> | undefined;
  async function findSource(name: string, caller: Caller): Promise<ToolSource | undefined> {
    opened = await open();
    const source = await opened.sources.find(name);
    if (source && isUsableBy(source, caller)) return describeSource(source, await opened.sources.proved());
    return undefined;
  }
  return {
    async sources(caller) {
      const { sources } = await open();
      const [all, proved] = [await sources.list(), await sources.proved()];
      return all.filter((source) => isUsableBy(source, caller)).map((source) => describeSource(source, proved));
    },
    source: (name, caller) => (opened && !opened.sources.has(name) ? undefined : findSource(name, caller)),
    async catalog(name) {
      const { sources } = await open();
      const source = await sources.get(name);
      const catalog = await sources.catalog(source);
      const tools = provided.get(catalog) ?? catalog.map((entry) => toTool(source, entry));
      provided.set(catalog, tools);
      return tools;
    },
    async describe({ name }) {
      const { forge, tool } = await locate(open, name);
      const { describeArguments } = await import('./source/edit.ts');
      if (tool.source.code) return describeCode(await findCode(forge, tool), tool.entry);
      const api = await forge.sources.api(tool.source);
      try {
        return describeArguments(api, tool.entry);
      } catch (error) {
        if (error instanceof LoreError) return undefined;
        throw error;
      }
    },
    async accept({ name }, args) {
      const { forge, tool, acceptArguments } = await locate(open, name);
      return tool.source.code
        ? acceptCode(await findCode(forge, tool), tool, args)
        : acceptArguments(forge, tool, args);
    },
    async run({ name }, args, { call, ...options }) {
      const { forge, tool, runTool } = await locate(open, name);
      return tool.source.code ? runCode(forge, tool, args, call) : runTool(forge, tool, args, call, options);
    },
  };
}

function isUsableBy({ project }: Source, { folder }: Caller): boolean {
  return project === undefined || isInside(folder, project);
}

function describeSource(
  { name, title, origin, operations, code, project }: Source,
  proved: ReadonlySet<string>,
): ToolSource {
  return {
    name,
    title,
    kind: code ?? 'API',
    origin,
    tools: operations,
    state: proved.has(name) ? 'ready' : 'unproved',
    ...(project !== undefined && { folder: project }),
  };
}

/** By its name: the source may have been replaced since it was listed. */
async function locate(open: OpenSources, name: string) {
  const forge = await open();
  const running = await import('./call/run.ts');
  return { ...running, forge, tool: await running.locateTool(forge, name) };
}

function toTool(source: Source, { edit, ...entry }: CatalogEntry): ProvidedTool {
  const { effect, summary, signature, description, key, words, returns, isDeprecated } = entry;
  return {
    name: toolNameOf(source.name, entry.name),
    source: source.name,
    effect,
    summary,
    signature,
    description,
    key,
    words,
    returns,
    isDeprecated,
    // Code of a repository runs with the rights of the user.
    ...(source.code && source.origin.includes('/') && { isGuarded: true }),
    ...(edit?.isHidden && { isHidden: true }),
  };
}
