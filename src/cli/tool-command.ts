// Every tool is also a command: runs it with the words and options of a command line, and prints its result.

import type { App } from '../app.ts';
import { parseText } from '../config/load.ts';
import { createPlainCall, localCaller } from '../core/call.ts';
import type { Command, Given, Output } from '../core/command.ts';
import { LoreError } from '../core/error.ts';
import { isObject, type JsonSchema } from '../core/schema.ts';
import type { Tool, ToolResult } from '../core/tool.ts';
import { toFlag } from './arguments.ts';
import { createTerminalAsker } from './ask.ts';
import { createBar, watchOperation } from './follow.ts';
import { readAll } from './input.ts';
import { startOnce } from './start.ts';
import { describeToolCommand, positionals, propertiesOf, requiredProperties, runsInBackground } from './tool-usage.ts';
import { usageError } from './usage.ts';

/** Runs in the given app, or in a new one if flags change the settings. */
export function defineToolCommand(tool: Tool, known: App): Command {
  const { name } = tool;
  return {
    ...describeToolCommand(tool),
    async run({ words, options, flags, output }) {
      const isOther = Object.keys(flags).length > 0;
      const app = isOther ? await startOnce({ flags }) : known;
      try {
        const args = await readArguments(tool, words, options);
        await callAndPrint(app, name, args, output, options.detach !== true);
        return 0;
      } catch (error) {
        throw adviseInCommands(error, app);
      } finally {
        if (isOther) await app.stop();
      }
    },
  };
}

/** Calls a tool, prints its result, and waits for its background operations. */
export async function callAndPrint(
  app: App,
  name: string,
  args: unknown,
  output: Output,
  follow: boolean,
): Promise<void> {
  const { content, structured } = await callWithBar(app, name, args, output);
  const tool = app.registry.find(name);
  // If there is a result, the operation has already finished.
  const isOpen = tool && runsInBackground(tool) && isObject(structured) && structured.result === undefined;
  const begun = isOpen ? operationsOf(structured) : [];
  const text = output.json ? '' : describeResult(tool, { content, structured }, output);
  if (text !== '') output.print(text);
  const ended = [];
  for (const id of begun) {
    if (follow) ended.push(await watchOperation(app, id, output));
    else if (!output.json) output.print(`Running in the background: lore status ${id}`);
  }
  if (output.json)
    output.printJson(ended.length > 0 ? { ...(structured as object), results: ended } : (structured ?? { content }));
}

async function callWithBar(app: App, name: string, args: unknown, output: Output): Promise<ToolResult> {
  const bar = createBar();
  const asker = output.json ? undefined : createTerminalAsker();
  const call = createPlainCall(localCaller, (done, total, message = '') => bar.show(done, total, message), asker);
  try {
    return await app.registry.call(name, args, call);
  } finally {
    bar.clear();
  }
}

function describeResult(tool: Tool | undefined, { content, structured }: ToolResult, { style }: Output): string {
  if (tool?.show && structured !== undefined) return tool.show(structured, style);
  return content.map((block) => (block.type === 'text' ? block.text : JSON.stringify(block))).join('\n');
}

function operationsOf({ operation_id: one, operations = [] }: { [key: string]: unknown }): string[] {
  return [one, ...(Array.isArray(operations) ? operations : [])].filter((id) => typeof id === 'string');
}

async function readArguments(tool: Tool, words: readonly string[], given: Readonly<Record<string, Given | undefined>>) {
  const args: Record<string, unknown> = {};
  const properties = propertiesOf(tool);
  for (const [key, schema] of Object.entries(properties)) {
    const value = given[toFlag(key)];
    if (value !== undefined) args[key] = value === '-' ? await readAll(process.stdin) : readValue(schema, value);
  }
  const open = positionals(tool).filter((key) => args[key] === undefined);
  const [main] = open;
  if (words.length > 0 && main === undefined) {
    throw usageError(describeToolCommand(tool), `Unexpected argument ${JSON.stringify(words[0])}`);
  }
  // Words of one text need no quotes; of several texts they do.
  const texts = open.length === 1 && words.length > 1 ? [words.join(' ')] : words;
  if (texts.length > open.length) {
    const hint = 'Put quotes around an argument that contains spaces.';
    throw usageError(describeToolCommand(tool), `Unexpected argument ${JSON.stringify(texts[open.length])}`, hint);
  }
  for (const [at, text] of texts.entries()) {
    const key = open[at] as string;
    if (text !== '-') args[key] = readValue(properties[key] ?? {}, text);
  }
  // Text can be piped in: lore learn < notes.md
  const missing = open.filter((key) => args[key] === undefined);
  const [piped = ''] = missing;
  if (missing.length === 1 && requiredProperties(tool).includes(piped) && !process.stdin.isTTY)
    args[piped] = await readAll(process.stdin);
  return args;
}

/** Text that is no JSON is rejected by the validation. */
export function readValue({ type }: JsonSchema, value: Given): unknown {
  if (type !== 'object' || typeof value !== 'string') return parseText(type, value);
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** A hint names tools and arguments as a model knows them; a person types commands and options. */
function adviseInCommands(error: unknown, { registry }: App): unknown {
  if (!(error instanceof LoreError) || error.hint === undefined) return error;
  const tools = new Set(registry.permissions().map(({ tool }) => tool.name));
  const hint = error.hint.replace(/"[^"]*"|(?<![\w/.-]|lore (?:allow )?)[a-z]+(?:_[a-z]+)+(?![\w/.-]\w)/g, (word) => {
    if (word.startsWith('"')) return word;
    return tools.has(word) ? `lore ${word.replaceAll('_', ' ')}` : `--${toFlag(word)}`;
  });
  const { word, message, details, advice, cause } = error;
  return new LoreError(word, message, { hint, advice, cause, ...(details && { details }) });
}
