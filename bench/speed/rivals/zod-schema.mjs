// The tools' arguments as zod schemas, the way the documentation of the SDK and of fastmcp tells people to declare them.
import { z } from 'zod';

const builders = { string: () => z.string(), integer: () => z.number().int(), boolean: () => z.boolean() };

/** @param {import('./tools.mjs').BenchTool} tool */
export function buildZodSchema({ inputSchema: { properties, required = [] } }) {
  const shape = Object.entries(properties).map(([name, { type, description }]) => {
    const schema = builders[type]().describe(description);
    return [name, required.includes(name) ? schema : schema.optional()];
  });
  return z.object(Object.fromEntries(shape));
}
