// What tool_find returns: tools by what they do, one query for each step of a task, with as many schemas as fit.
import { LoreError } from '../../../core/error.ts';
import { levelOf } from '../../../core/registry/permission.ts';
import { estimateTokens } from '../../../core/text/budget.ts';
import { locateTool } from '../call/run.ts';
import type { Forge } from '../forge.ts';
import { describeArguments } from '../source/edit.ts';
import { type CatalogEntry, type Source, toolNameOf } from '../source/source.ts';
import type { FoundTools } from './find.ts';
import { interleave, prepareTools, type RankedTool, rankTools } from './rank.ts';

interface WantedTools {
  queries?: readonly string[] | undefined;
  names?: readonly string[] | undefined;
  source?: string | undefined;
  limit: number;
}

/** Tokens for the arguments in one answer. */
const mostTokens = 2_500;

export async function searchTools(
  forge: Forge,
  { queries = [], names = [], source, limit }: WantedTools,
): Promise<FoundTools> {
  const { sources } = forge;
  const all = (source === undefined ? await sources.list() : [await sources.get(source)]).filter((one) =>
    isAllowed(forge, one),
  );
  const proved = await sources.proved();
  const named = await Promise.all(names.map((name) => locateTool(forge, name)));
  const tools = (await Promise.all(all.map(async (one) => prepareTools(one, await sources.catalog(one))))).flat();
  const ranked = interleave(
    queries.map((query) => rankTools(tools, query, limit)),
    limit,
  );
  const chosen = [...named, ...ranked.filter(({ name }) => !names.includes(name))];
  const shown = chosen.length === 0 ? all : all.filter((one) => chosen.some((tool) => tool.source.name === one.name));
  return {
    tools: await describeTools(forge, chosen, names),
    sources: shown.map(({ name, title, operations }) => ({
      name,
      title,
      operations,
      state: proved.has(name) ? 'ready' : 'unproved',
    })),
  };
}

function isAllowed(forge: Forge, { name }: Source): boolean {
  return levelOf(forge.policy(), { name, effect: 'read', allowed: 'read' }, name) !== 'off';
}

/** Arguments are included in full for named tools, and for others as far as the budget allows. */
async function describeTools(
  forge: Forge,
  chosen: readonly Pick<RankedTool, 'source' | 'entry'>[],
  names: readonly string[],
): Promise<FoundTools['tools']> {
  let left = mostTokens;
  const described: FoundTools['tools'] = [];
  for (const { source, entry } of chosen) {
    const name = toolNameOf(source.name, entry.name);
    const { effect, summary, signature } = entry;
    const schema = left > 0 || names.includes(name) ? await writeSchema(forge, source, entry) : undefined;
    const tokens = schema === undefined ? 0 : estimateTokens(JSON.stringify(schema));
    const isShown = schema !== undefined && (tokens <= left || names.includes(name));
    if (isShown) left -= tokens;
    described.push({ name, effect, summary, signature, ...(isShown && { arguments: schema }) });
  }
  return described;
}

async function writeSchema({ sources }: Forge, source: Source, entry: CatalogEntry): Promise<unknown> {
  try {
    return describeArguments(await sources.api(source), entry);
  } catch (error) {
    if (error instanceof LoreError) return undefined;
    throw error;
  }
}
