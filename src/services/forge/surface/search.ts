// What tool_find returns: tools by what they do, one query for each step of a task, with as many schemas as fit.
import type { Caller } from '../../../core/call.ts';
import { estimateTokens } from '../../../core/text/budget.ts';
import type { FoundTools } from './find.ts';
import {
  isUsable,
  listSources,
  locateSource,
  locateTool,
  type OwnedSource,
  type OwnedTool,
  type Surface,
} from './providers.ts';
import { interleave, prepareTools, rankTools } from './rank.ts';

interface WantedTools {
  queries?: readonly string[] | undefined;
  names?: readonly string[] | undefined;
  source?: string | undefined;
  limit: number;
}

/** Tokens for the arguments in one answer. */
const mostTokens = 2_500;

export async function searchTools(
  surface: Surface,
  { queries = [], names = [], source, limit }: WantedTools,
  caller: Caller,
): Promise<FoundTools> {
  const owned =
    source === undefined ? await listSources(surface, caller) : [await locateSource(surface, source, caller)];
  const usable = owned.filter((one) => isUsable(surface, one.source));
  const named = await Promise.all(names.map((name) => locateTool(surface, name, caller)));
  const bySource = new Map(usable.map((one) => [one.source.name, one]));
  const tools = queries.length === 0 ? [] : await Promise.all(usable.map((one) => prepareSource(one, caller)));
  const ranked = interleave(
    queries.map((query) => rankTools(tools.flat(), query, limit)),
    limit,
  )
    .filter(({ name }) => !names.includes(name))
    .map((tool): OwnedTool => ({ ...(bySource.get(tool.source) as (typeof usable)[0]), tool }));
  const chosen = [...named, ...ranked];
  const shown =
    chosen.length === 0 ? usable : usable.filter((one) => chosen.some(({ tool }) => tool.source === one.source.name));
  return {
    ...(queries.length > 0 && chosen.length === 0 && { unmatched: true }),
    tools: await describeTools(chosen, names, caller),
    sources: shown.map(({ source: { name, title, tools: operations, state, note } }) => ({
      name,
      title,
      operations,
      state,
      ...(note !== undefined && { note }),
    })),
  };
}

async function prepareSource({ provider, source }: OwnedSource, caller: Caller) {
  return prepareTools(await provider.catalog(source.name, caller));
}

/** Arguments are included in full for named tools, and for others as far as the budget allows. */
async function describeTools(
  chosen: readonly OwnedTool[],
  names: readonly string[],
  caller: Caller,
): Promise<FoundTools['tools']> {
  let left = mostTokens;
  const described: FoundTools['tools'] = [];
  for (const { provider, tool } of chosen) {
    const { name, effect, summary, signature, note } = tool;
    const schema = left > 0 || names.includes(name) ? await provider.describe(tool, caller) : undefined;
    const tokens = schema === undefined ? 0 : estimateTokens(JSON.stringify(schema));
    const isShown = schema !== undefined && (tokens <= left || names.includes(name));
    if (isShown) left -= tokens;
    described.push({
      name,
      effect,
      summary,
      signature,
      ...(note !== undefined && { note }),
      ...(isShown && { arguments: schema }),
    });
  }
  return described;
}
