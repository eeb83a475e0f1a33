// Every tool is also a command: its options are the properties of its input. Positional arguments are the first required
// property, or else the main one.

import type { App } from '../app.ts';
import { parseText } from '../config/load.ts';
import { createPlainCall, localCaller } from '../core/call.ts';
import type { Command, Given, Option, Output } from '../core/command.ts';
import { LoreError } from '../core/error.ts';
import { isObject, type JsonSchema } from '../core/schema.ts';
import type { Tool, ToolResult } from '../core/tool.ts';
import { createTerminalAsker } from './ask.ts';
import { createBar, watchOperation } from './follow.ts';
import { readAll } from './input.ts';
import { startOnce } from './start.ts';

/** Runs in the given app, or in a new one if flags change the settings. */
export function defineToolCommand(tool: Tool, known: App): Command {
  const { name, description } = tool;
  const main = mainProperty(tool);
  const options = Object.entries(propertiesOf(tool)).map(([key, schema]): [string, Option] => [
    toFlag(key),
    describeOption(key, schema),
  ]);
  return {
    name,
    summary: description,
    ...(main !== undefined && { usage: main === requiredProperty(tool) ? `<${main}>` : `[${main}]` }),
    settings: ['read_only', 'call_timeout_ms'],
    options: {
      ...Object.fromEntries(options),
      detach: { type: 'boolean', help: 'Do not wait for background operations' },
    },
    examples: [
      [`lore ${name}${main === undefined ? '' : ' "…"'}`, tool.title.toLowerCase()],
      [`lore ${name}${main === undefined ? '' : ' "…"'} --json`, 'for scripts'],
    ],
    async run({ words, options: given, flags, output }) {
      const isOther = Object.keys(flags).length > 0;
      const app = isOther ? await startOnce({ flags }) : known;
      try {
        const args = await readArguments(tool, words, given);
        await callAndPrint(app, name, args, output, given.detach !== true);
        return 0;
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
  // If there is a result, the operation has already finished.
  const isOpen = follow && isObject(structured) && structured.result === undefined;
  const begun = isOpen ? operationsOf(structured) : [];
  const ended = [];
  if (!output.json) output.print(describeResult(app.registry.find(name), { content, structured }, output));
  for (const id of begun) ended.push(await watchOperation(app, id, output));
  if (output.json)
    output.printJson(begun.length > 0 ? { ...(structured as object), results: ended } : (structured ?? { content }));
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

function propertiesOf({ input }: Tool): { [key: string]: JsonSchema } {
  return isObject(input.json.properties) ? (input.json.properties as { [key: string]: JsonSchema }) : {};
}

function requiredProperty({ input }: Tool): string | undefined {
  return Array.isArray(input.json.required) ? (input.json.required[0] as string) : undefined;
}

const asked = ['query', 'id', 'operation_id'];

function mainProperty(tool: Tool): string | undefined {
  return requiredProperty(tool) ?? asked.find((key) => key in propertiesOf(tool));
}

function toFlag(key: string): string {
  return key.replaceAll('_', '-');
}

function describeOption(key: string, schema: JsonSchema): Option {
  const values = Array.isArray(schema.enum) ? schema.enum.join(', ') : '';
  const words = [schema.description, values, 'default' in schema ? `Default: ${schema.default}` : '']
    .filter(Boolean)
    .join('. ');
  if (schema.type === 'boolean') return { type: 'boolean', help: words };
  return { type: 'string', help: words, value: schema.type === 'array' ? `${key},…` : key };
}

async function readArguments(tool: Tool, words: readonly string[], given: Readonly<Record<string, Given | undefined>>) {
  const args: Record<string, unknown> = {};
  const properties = propertiesOf(tool);
  for (const [key, { type }] of Object.entries(properties)) {
    const value = given[toFlag(key)];
    if (value !== undefined) args[key] = parseText(type, value);
  }
  const main = mainProperty(tool);
  if (words.length > 0 && main === undefined) {
    throw new LoreError('invalid_input', `Cannot run "${tool.name}": unexpected argument "${words[0]}"`);
  }
  if (main === undefined || args[main] !== undefined) return args;
  if (words.length > 0 && words.join(' ') !== '-') args[main] = parseText(properties[main]?.type, words.join(' '));
  // Text can be piped in: lore learn < notes.md
  else if (main === requiredProperty(tool) && !process.stdin.isTTY) args[main] = await readAll(process.stdin);
  return args;
}
