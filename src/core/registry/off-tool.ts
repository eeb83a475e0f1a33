// How a tool is listed that is off until a person allows it: with the command to allow it, and without the details of its
// arguments, since most clients will never call it.
import { isObject, type JsonSchema } from '../schema.ts';
import type { Tool } from '../tool.ts';
import { commandToAllow } from './permission.ts';

export function describeOffTool(tool: Tool, serviceId: string): Tool {
  const { output: _, ...rest } = tool;
  const description = `${tool.description} Off until a person runs: ${commandToAllow(tool, serviceId)}`;
  return { ...rest, description, input: { ...tool.input, json: withTypesOnly(tool.input.json) } };
}

function withTypesOnly(json: JsonSchema): JsonSchema {
  const properties = isObject(json.properties) ? json.properties : {};
  const types = Object.entries(properties).map(([name, property]) => {
    const { type } = isObject(property) ? property : {};
    return [name, type === undefined ? {} : { type }];
  });
  return { ...json, properties: Object.fromEntries(types) };
}
