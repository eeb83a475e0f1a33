// The tools of a code source: their arguments, and their calls.
import type { Call } from '../../../core/call.ts';
import { LoreError } from '../../../core/error.ts';
import { fromJsonSchema } from '../../../core/foreign.ts';
import { check, type JsonSchema } from '../../../core/schema.ts';
import type { ProvidedAnswer, ToolArguments } from '../../../core/tool-provider.ts';
import type { LocatedTool } from '../call/run.ts';
import type { Forge } from '../forge.ts';
import { withDefaults } from '../source/edit.ts';
import type { CatalogEntry } from '../source/source.ts';
import type { CodeTool } from './code-tool.ts';

export async function findCode(
  { sources }: Pick<Forge, 'sources'>,
  { name, source, entry }: LocatedTool,
): Promise<CodeTool> {
  const tool = (await sources.code(source)).tools[entry.key];
  if (tool) return tool;
  throw new LoreError('not_found', `Cannot run "${name}": it is no longer there`);
}

export function describeCode({ schema }: CodeTool, { edit }: CatalogEntry): JsonSchema {
  return withDefaults(schema, edit?.defaults);
}

export function acceptCode(tool: CodeTool, { name, entry }: LocatedTool, given: ToolArguments): ToolArguments {
  const args = { ...entry.edit?.defaults, ...given };
  check(fromJsonSchema(describeCode(tool, entry)), args, 'arguments', `run "${name}"`);
  return args;
}

export async function runCode(
  forge: Pick<Forge, 'sources'>,
  located: LocatedTool,
  args: ToolArguments,
  { signal }: Pick<Call, 'signal'>,
): Promise<ProvidedAnswer> {
  const { name, source } = located;
  const tool = await findCode(forge, located);
  const { folder } = await forge.sources.code(source);
  const answer =
    tool.kind === 'function'
      ? await (await import('./call-function.ts')).callFunction(name, folder, tool, args, signal)
      : await (await import('./call-command.ts')).callCommand(name, folder, tool, args, signal);
  await forge.sources.prove(source.name);
  return answer;
}
