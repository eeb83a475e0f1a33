// The command line of a tool, derived from its input: required arguments are words, all others are options.
import type { Command, Option } from '../core/command.ts';
import { isObject, type JsonSchema } from '../core/schema.ts';
import type { Tool } from '../core/tool.ts';
import { argumentHelp } from './argument-help.ts';
import { toFlag } from './arguments.ts';
import { describeDefault } from './help.ts';

export function describeToolCommand(tool: Tool): Omit<Command, 'run'> {
  const { name, description, examples = [] } = tool;
  const words = positionals(tool);
  const required = requiredProperties(tool);
  const options = Object.entries(propertiesOf(tool)).map(([key, schema]): [string, Option] => [
    toFlag(key),
    { ...describeOption(key, schema, required.includes(key)), hidden: words.includes(key) && required.includes(key) },
  ]);
  const slots = words.map((key) => (required.includes(key) ? `<${toFlag(key)}>` : `[${toFlag(key)}]`));
  const flags = required.filter((key) => !words.includes(key)).map((key) => `--[no-]${toFlag(key)}`);
  return {
    name,
    summary: description,
    usage: [...slots, ...flags].join(' '),
    takesText: true,
    hiddenSettings: ['read_only', 'call_timeout_ms'],
    options: {
      ...Object.fromEntries(options),
      detach: { type: 'boolean', help: 'Do not wait for background operations', hidden: !runsInBackground(tool) },
    },
    examples: examples.length > 0 ? examples : [[['lore', name, ...slots].join(' '), tool.title.toLowerCase()]],
  };
}

export function propertiesOf({ input }: Tool): { [key: string]: JsonSchema } {
  return isObject(input.json.properties) ? (input.json.properties as { [key: string]: JsonSchema }) : {};
}

export function requiredProperties({ input }: Tool): readonly string[] {
  return Array.isArray(input.json.required) ? input.json.required : [];
}

/** Arguments that are given without their names: the required ones, or else the main one. A switch has a name. */
export function positionals(tool: Tool): string[] {
  const properties = propertiesOf(tool);
  const required = requiredProperties(tool).filter((key) => properties[key]?.type !== 'boolean');
  return required.length > 0 ? required : tool.main === undefined ? [] : [tool.main];
}

/** Its result names an operation, and it is not a tool that is asked about one. */
export function runsInBackground(tool: Tool): boolean {
  const properties = isObject(tool.output?.json.properties) ? tool.output.json.properties : {};
  const begins = 'operation_id' in properties || 'operations' in properties;
  return begins && !('operation_id' in propertiesOf(tool));
}

function describeOption(key: string, schema: JsonSchema, isRequired: boolean): Option {
  const items = isObject(schema.items) ? (schema.items as JsonSchema).enum : undefined;
  const values = Array.isArray(schema.enum) ? `One of ${schema.enum.join(', ')}` : listed(items);
  const text = [schema.description ?? argumentHelp[key], values].filter(Boolean).join('. ');
  const help = `${text}${describeDefault(schema.default)}${isRequired ? ' (required)' : ''}`;
  if (schema.type === 'boolean') return { type: 'boolean', help };
  const choices = Array.isArray(schema.enum) ? { choices: schema.enum as string[] } : {};
  return { type: 'string', help, value: valueName(key, schema), ...choices };
}

function listed(items: unknown): string {
  return Array.isArray(items) ? `Any of ${items.join(', ')}` : '';
}

const valueNames: Readonly<Record<string, string>> = {
  since: 'time',
  until: 'time',
  as_of: 'time',
  expires: 'time',
  path: 'path',
  project_path: 'folder',
  id: 'id',
  undo: 'id',
  operation_id: 'id',
  cursor: 'cursor',
};

function valueName(key: string, { type, enum: values }: JsonSchema): string {
  if (Array.isArray(values)) return toFlag(key);
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'object') return 'json';
  return type === 'array' ? 'text,…' : (valueNames[key] ?? 'text');
}
