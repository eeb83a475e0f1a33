// A part of a stored answer: from an offset, the lines that contain a text, or the values at a path of JSON data.
import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import type { ToolArguments } from '../../../core/tool-provider.ts';

const wanted = s.object({
  offset: s.optional(s.integer({ min: 0 })),
  grep: s.optional(s.string({ min: 1, max: 500 })),
  path: s.optional(s.string({ max: 1_000 })),
});

export const partUsage =
  '{"offset": 0}, {"grep": "text"}, or, if it is JSON, {"path": "/items/0/name"}; * in a path is every entry';

/** Either a range of the stored text, or another text that was made from it. */
export type AnswerPart = { offset: number } | { text: string };

export function readPart(name: string, content: string | Uint8Array, args: ToolArguments): AnswerPart {
  const { offset, grep, path } = s.check(wanted, args, 'arguments', `read "${name}"`);
  if ([offset, grep, path].filter((one) => one !== undefined).length > 1) {
    throw new LoreError('invalid_input', `Cannot read "${name}": expected one argument`, { hint: partUsage });
  }
  if (typeof content !== 'string' && (grep ?? path) !== undefined) {
    throw new LoreError('invalid_input', `Cannot read "${name}": it is a file, which can be read from an offset only`);
  }
  if (grep !== undefined) return { text: findLines(content as string, grep) };
  if (path !== undefined) return { text: layOut(select(name, content as string, path)) };
  return { offset: Math.min(offset ?? 0, content.length) };
}

const longestLine = 300;
const mostHits = 1_000;

/** Case is ignored. Each line with its offset, from which more can be read. */
function findLines(text: string, wantedText: string): string {
  const found: string[] = [];
  const pattern = new RegExp(wantedText.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'giu');
  let end = -1;
  for (const { index } of text.matchAll(pattern)) {
    if (index < end) continue;
    if (found.length === mostHits) {
      found.push('(more lines contain this text)');
      break;
    }
    const start = text.lastIndexOf('\n', index) + 1;
    end = text.indexOf('\n', index);
    if (end < 0) end = text.length;
    const from = Math.max(start, index - longestLine / 2);
    const line = text.slice(from, Math.min(end, from + longestLine));
    found.push(`${from}: ${line}`);
    // Further hits in a very long line are other places.
    end = Math.min(end, from + longestLine);
  }
  return found.length > 0 ? found.join('\n') : '(no line contains this text)';
}

/** A JSON pointer, in which `*` stands for every entry. */
function select(name: string, text: string, path: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new LoreError('invalid_input', `Cannot read "${name}": it is not JSON data, so it has no paths`, {
      hint: partUsage,
    });
  }
  const steps = path.split('/').filter((step, at) => step !== '' || at > 0);
  const values = steps.reduce((found, step) => found.flatMap((one) => stepInto(one, step)), [value]);
  if (steps.includes('*')) return values;
  if (values.length > 0) return values[0];
  throw new LoreError('not_found', `Cannot read "${name}": it has nothing at "${path}"`, { hint: partUsage });
}

function stepInto(value: unknown, step: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (step === '*') return Object.values(value);
  const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
  return Object.hasOwn(value, key) ? [(value as Record<string, unknown>)[key]] : [];
}

const longestOneLine = 160;
const deepest = 12;

/** JSON whose small values are one line each: it can be searched by lines, and costs few tokens for line breaks. */
export function layOut(value: unknown, depth = 0): string {
  const whole = JSON.stringify(value) ?? 'null';
  if (whole.length <= longestOneLine || typeof value !== 'object' || value === null || depth === deepest) return whole;
  if (Array.isArray(value)) return `[\n${value.map((one) => layOut(one, depth + 1)).join(',\n')}\n]`;
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{\n${members.map(([key, one]) => `${JSON.stringify(key)}: ${layOut(one, depth + 1)}`).join(',\n')}\n}`;
}
