// Pinned tools as real ones, in the list of every client, as many as its budget allows.
import type { Call } from '../../../core/call.ts';
import { LoreError } from '../../../core/error.ts';
import { levelOf } from '../../../core/registry/permission.ts';
import * as s from '../../../core/schema.ts';
import { estimateTokens } from '../../../core/text/budget.ts';
import { showHidden } from '../../../core/text/fence.ts';
import { inOneLine } from '../../../core/text/terminal.ts';
import { defineTool, type Tool, toolName } from '../../../core/tool.ts';
import { splitToolName, type ToolArguments } from '../../../core/tool-provider.ts';
import { type CallAnswer, callAnswer, renderAnswer, showAnswer } from './answer.ts';
import type { Pin } from './pins.ts';
import { locateTool, type OwnedTool, type Surface } from './providers.ts';
import { makeStrict } from './strict-schema.ts';

/** What pinned tools may cost every session. */
export interface PinBudget {
  readonly tools: number;
  readonly tokens: number;
}

export const defaultPinBudget: PinBudget = { tools: 12, tokens: 4_000 };

export type RunPinned = (name: string, args: ToolArguments, call: Call) => Promise<CallAnswer>;

const longestDescription = 300;

/** The pins that fit, the most used first, without those of sources that are turned off. */
export function selectPins({ pins, policy }: Surface, budget: PinBudget): Pin[] {
  /** By folder: those of one are not listed in another. */
  const used = new Map<string, { tools: number; tokens: number }>();
  const usedIn = (folder: string) => used.get(folder) ?? { tools: 0, tokens: 0 };
  return pins.list().filter((pin) => {
    const { name, effect, source, folder = '' } = pin;
    if (levelOf(policy(), { name, effect, allowed: 'read' }, source) === 'off') return false;
    const [everywhere, here] = [usedIn(''), usedIn(folder)];
    const others = folder === '' ? { tools: 0, tokens: 0 } : everywhere;
    const [tools, tokens] = [here.tools + 1, here.tokens + costOf(pin)];
    if (others.tools + tools > budget.tools || others.tokens + tokens > budget.tokens) return false;
    used.set(folder, { tools, tokens });
    return true;
  });
}

/** A pin is read anew when it changes. */
const costs = new WeakMap<Pin, number>();

/** The tokens of a pin, as it is listed. */
export function costOf(pin: Pin): number {
  const { name, description, arguments: given } = pin;
  const cost = costs.get(pin) ?? estimateTokens(JSON.stringify([name, description, makeStrict(given).json]));
  costs.set(pin, cost);
  return cost;
}

export function createPinnedTool(pin: Pin, run: RunPinned): Tool {
  const { json, originals } = makeStrict(pin.arguments);
  const given = s.record(s.json());
  return defineTool({
    name: pin.name,
    title: splitToolName(pin.name).tool.replaceAll('_', ' '),
    description: pin.description,
    effect: pin.effect,
    ...(pin.folder !== undefined && { folder: pin.folder }),
    openWorld: true,
    waits: true,
    preloaded: true,
    audited: ({ status }: CallAnswer) => ({ ...(status !== undefined && { status }) }),
    examples: [],
    // Checked by the provider, which also knows what the schema does not show.
    input: { ...given, json },
    output: callAnswer,
    render: renderAnswer,
    show: showAnswer,
    run(args, call) {
      const restored = Object.entries(args).map(([key, value]) => [originals.get(key) ?? key, value]);
      return run(pin.name, Object.fromEntries(restored), call);
    },
  });
}

/** As it is listed until its source changes. */
export async function describePin({ provider, tool, source }: OwnedTool): Promise<Pin> {
  const schema = await provider.describe(tool);
  if (!toolName.test(tool.name) || schema === undefined) {
    throw new LoreError('invalid_input', `Cannot pin "${tool.name}": its name or its arguments cannot be listed`);
  }
  const summary = inOneLine(showHidden(tool.summary)).slice(0, longestDescription);
  return {
    name: tool.name,
    source: source.name,
    effect: tool.effect,
    description: `${summary} (${source.kind} ${source.name})`,
    arguments: schema,
    ...(source.folder !== undefined && { folder: source.folder }),
  };
}

/** Describes a pin again if its source has changed since. */
export async function renewPin({ pins }: Surface, owned: OwnedTool): Promise<void> {
  const known = pins.list().find(({ name }) => name === owned.tool.name);
  if (!known) return;
  const pin = await describePin(owned);
  if (JSON.stringify(pin) !== JSON.stringify(known)) await pins.put(pin);
}

/** Describes all pins again, and removes those whose tools are gone. */
export async function renewPins(surface: Surface, call: Pick<Call, 'caller'>): Promise<void> {
  for (const { name } of surface.pins.list()) {
    try {
      await renewPin(surface, await locateTool(surface, name, call.caller));
    } catch (error) {
      if (!(error instanceof LoreError)) throw error;
      if (error.word === 'not_found') await surface.pins.remove(name);
    }
  }
}
