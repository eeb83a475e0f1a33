// What was different about the arguments of a call that worked after one that failed, in words without their values.
import { isObject } from '../../../core/schema.ts';
import { plainValue, shapeOf } from './shape.ts';

type Arguments = { readonly [name: string]: unknown };

const deepest = 3;
const mostParts = 6;

/**
 * Undefined if only values differ that say nothing about the next call, such as another id. Values that the server named in its
 * error may be shown.
 */
export function compareArguments(failed: Arguments, worked: Arguments, error = ''): string | undefined {
  const parts = compare(failed, worked, { path: '', depth: 0, error });
  return parts.length === 0 ? undefined : parts.slice(0, mostParts).join('; ');
}

interface Place {
  readonly path: string;
  readonly depth: number;
  readonly error: string;
}

function compare(failed: Arguments, worked: Arguments, { path, depth, error }: Place): string[] {
  const names = [...new Set([...Object.keys(failed), ...Object.keys(worked)])];
  return names.flatMap((name) => {
    const at = `${path}${name}`;
    const shown = `\`${at.slice(0, 80)}\``;
    if (!Object.hasOwn(worked, name)) return [`without ${shown}`];
    const [before, after] = [failed[name], worked[name]];
    if (!Object.hasOwn(failed, name)) return [`with ${shown}: ${describe(name, after, error)}`];
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    if (isObject(before) && isObject(after) && depth < deepest)
      return compare(before, after, { path: `${at}.`, depth: depth + 1, error });
    const [was, is] = [shapeOf(before, name), shapeOf(after, name)];
    if (was !== is) return [`${shown} as ${describe(name, after, error)}, not ${was}`];
    const value = plainValue(name, after, error);
    return value === undefined ? [] : [`${shown} as ${value}`];
  });
}

function describe(name: string, value: unknown, error: string): string {
  const shown = plainValue(name, value, error);
  return shown === undefined ? shapeOf(value, name) : `${shapeOf(value, name)}, such as ${shown}`;
}

/** Equal for equal failures, whatever the values in their texts were. Many servers repeat the arguments without quotes. */
export function signError(text: string, args: Arguments = {}): string {
  const [line = ''] = text.trim().slice(0, longestError).split('\n', 1);
  return withoutValues(line, args)
    .toLowerCase()
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '“”')
    .replace(/(?:[a-z]:)?[\\/][\w.\\/~-]+/g, '/…')
    .replace(/[0-9a-f]{8,}|\d+/g, '0')
    .replace(/\s+/g, ' ')
    .slice(0, 160);
}

const longestError = 1_000;
/** Shorter ones occur in words of the server. */
const leastValue = 2;

function withoutValues(line: string, args: Arguments): string {
  const values = listValues(args, 0).filter((value) => value.length >= leastValue && line.includes(value));
  return values.sort((a, b) => b.length - a.length).reduce(hideValue, line);
}

function hideValue(line: string, value: string): string {
  const escaped = value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return line.replace(new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'gu'), '“”');
}

function listValues(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > deepest) return [];
  return Object.values(value).flatMap((one) => listValues(one, depth + 1));
}
