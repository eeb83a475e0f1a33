// Wraps a tool so that its results and errors contain pseudonyms. Arguments may contain pseudonyms that it returned.
import type { Call } from '../../../core/call.ts';
import { LoreError } from '../../../core/error.ts';
import { isObject } from '../../../core/schema.ts';
import type { Tool } from '../../../core/tool.ts';
import type { Opened, Privacy } from './privacy.ts';
import { pseudonymPattern } from './pseudonym.ts';

/** Ours, and of no use when changed. */
const spared = new Set(['cursor', 'next_cursor', 'timestamp', 'level']);
/** Arguments that name something; search texts are compared with the pseudonyms instead. */
const naming = new Set(['path', 'logName']);

export function withPseudonyms(tool: Tool, privacy: Privacy): Tool {
  return {
    ...tool,
    run: (args, call) => (privacy.isOn() ? runHidden(tool, privacy, args, call) : tool.run(args, call)),
  };
}

async function runHidden(tool: Tool, privacy: Privacy, args: unknown, call: Call): Promise<unknown> {
  const opened = await privacy.open();
  const used = new Map<string, string>();
  try {
    const result = hideDeep(await tool.run(await turnBack(args, opened), call), opened, used);
    await opened.map.keep(used);
    return result;
  } catch (error) {
    if (!(error instanceof LoreError)) throw error;
    const hidden = hideError(error, opened, used);
    await opened.map.keep(used);
    throw hidden;
  }
}

async function turnBack(args: unknown, { map, pseudonyms }: Opened): Promise<unknown> {
  if (!isObject(args)) return args;
  const turned = { ...args };
  for (const [key, value] of Object.entries(args)) {
    if (!naming.has(key) || typeof value !== 'string') continue;
    let text = value;
    for (const [pseudonym] of value.matchAll(pseudonymPattern)) {
      const known = pseudonyms.valueOf(pseudonym) ?? (await map.find(pseudonym))[0];
      if (known !== undefined) text = text.replaceAll(pseudonym, known);
    }
    turned[key] = text;
  }
  return turned;
}

function hideDeep(value: unknown, opened: Opened, used: Map<string, string>): unknown {
  if (typeof value === 'string') return hideText(value, opened, used);
  if (Array.isArray(value)) return value.map((each) => hideDeep(each, opened, used));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, each]) => [
    key,
    spared.has(key) ? each : hideDeep(each, opened, used),
  ]);
  return Object.fromEntries(entries);
}

function hideText(text: string, { mask, pseudonyms }: Opened, used: Map<string, string>): string {
  const hidden = mask(text);
  for (const [pseudonym] of hidden.matchAll(pseudonymPattern)) {
    const value = pseudonyms.valueOf(pseudonym);
    if (value !== undefined) used.set(pseudonym, value);
  }
  return hidden;
}

function hideError(error: LoreError, opened: Opened, used: Map<string, string>): LoreError {
  const { word, message, hint, details, advice, cause } = error;
  return new LoreError(word, hideText(message, opened, used), {
    ...(hint !== undefined && { hint: hideText(hint, opened, used) }),
    ...(details && { details: hideDeep(details, opened, used) as typeof details }),
    advice,
    cause,
  });
}
