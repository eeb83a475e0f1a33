// lore call

import type { Command } from '../../core/command.ts';
import { LoreError } from '../../core/error.ts';
import { isObject } from '../../core/schema.ts';
import { didYouMean } from '../../core/text/similar-names.ts';
import type { Tool } from '../../core/tool.ts';
import { listedTools } from '../find-command.ts';
import { startOnce } from '../start.ts';
import { callAndPrint, readValue } from '../tool-command.ts';

export const call: Command = {
  name: 'call',
  summary: 'Call a tool and print its result.',
  usage: '<tool> [key=value…]',
  settings: ['read_only', 'call_timeout_ms'],
  options: {
    json: { type: 'boolean', help: "Arguments as one JSON object ('{…}'), and the result as JSON" },
  },
  examples: [
    ['lore call status', 'a tool without arguments'],
    ['lore call search_code query=parse limit=5', 'arguments as key=value'],
    [`lore call status --json '{}'`, 'arguments and result as JSON'],
  ],
  async run({ words, flags, output }) {
    const [name = '', ...rest] = words;
    const app = await startOnce({ flags });
    try {
      const tool = app.registry.find(name);
      if (!tool) {
        throw new LoreError('not_found', `Cannot call "${name}": there is no such tool`, {
          hint: `${
            didYouMean(
              name,
              listedTools(app).map((one) => one.tool.name),
            ) ?? ''
          } lore tools lists them.`.trim(),
        });
      }
      const args = output.json ? readJson(rest) : readWords(tool, rest);
      await callAndPrint(app, name, args, output, false);
      return 0;
    } finally {
      await app.stop();
    }
  },
};

function readJson(words: readonly string[]): unknown {
  if (words.length === 0) return {};
  try {
    const args: unknown = JSON.parse(words.join(' '));
    if (isObject(args)) return args;
  } catch {
    // The error follows.
  }
  throw new LoreError('invalid_input', `Cannot read arguments "${words.join(' ')}": they are not a JSON object`);
}

function readWords(tool: Tool, words: readonly string[]): Record<string, unknown> {
  const properties = isObject(tool.input.json.properties) ? tool.input.json.properties : {};
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=');
      if (at < 1) {
        throw new LoreError('invalid_input', `Cannot read argument "${word}": it is not key=value`, {
          hint: `${tool.name} takes ${Object.keys(properties).join(', ') || 'no arguments'}.`,
        });
      }
      const key = word.slice(0, at);
      const property = properties[key];
      return [key, isObject(property) ? readValue(property, word.slice(at + 1)) : word.slice(at + 1)];
    }),
  );
}
