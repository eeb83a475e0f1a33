// Decides whether a tool of a source may run: a source may read until a person allows more, and a change is confirmed by the
// user, if the client can ask.
import type { Soon } from '../../../core/attempt.ts';
import { askForm, type Call } from '../../../core/call.ts';
import { LoreError } from '../../../core/error.ts';
import { levelOf, neededLevel, type PermissionLevel, type Policy } from '../../../core/registry/permission.ts';
import type { ToolArguments } from '../../../core/tool-provider.ts';
import type { OwnedTool } from './providers.ts';

const longestShown = 500;

export interface PermissionRules {
  /** The current permissions. */
  policy(): Policy;
  /** How a person gives this level, if not with lore allow. */
  explain?(level: PermissionLevel): string;
}

/** Waits only if the user is asked. */
export function permitCall(
  { policy, explain }: PermissionRules,
  { tool, source }: Pick<OwnedTool, 'tool' | 'source'>,
  args: ToolArguments,
  call: Pick<Call, 'can' | 'ask'>,
): Soon<void> {
  const { name, effect, isGuarded } = tool;
  const level = isGuarded
    ? levelOf(policy(), { name, effect, allowed: 'off' }, name)
    : levelOf(policy(), { name, effect, allowed: 'read' }, source.name);
  if (level === 'write' || (level === 'read' && effect === 'read')) return;
  const needed = neededLevel[effect];
  const named = effect === 'read' && !isGuarded ? source.name : name;
  const hint = `A person can allow it: ${explain?.(needed) ?? `lore allow ${named} --level ${needed}`}`;
  if (level === 'off' || !call.can('elicitation')) {
    throw new LoreError(
      'forbidden',
      `Cannot run "${name}": the permission of "${isGuarded ? name : source.name}" is "${level}"`,
      {
        hint,
      },
    );
  }
  return askUser({ tool, source }, args, call, hint);
}

async function askUser(
  { tool: { name, key, effect }, source }: Pick<OwnedTool, 'tool' | 'source'>,
  args: ToolArguments,
  call: Pick<Call, 'ask'>,
  hint: string,
): Promise<void> {
  const shown = JSON.stringify(args).slice(0, longestShown);
  const question = `Run ${name} (${key}) at ${source.origin}? It ${effect === 'destroy' ? 'may delete' : 'changes'} data.\n${shown}`;
  const schema = {
    type: 'object',
    properties: { allow: { type: 'boolean', title: 'Allow this call' } },
    required: ['allow'],
  };
  const { answer } = await call.ask({ answer: askForm(question, schema) });
  const content = answer.content as { allow?: unknown } | undefined;
  if (answer.action === 'accept' && content?.allow === true) return;
  throw new LoreError('forbidden', `Cannot run "${name}": the user did not allow it`, { hint });
}
