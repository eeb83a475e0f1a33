// What was different about the arguments of a call that worked after one that failed, in words without their values.
import { isObject } from '../../../core/schema.ts';
import { plainValue, shapeOf } from './shape.ts';

type Arguments = { readonly [name: string]: unknown };

const deepest = 3;
const mostParts = 6;

/** Undefined if only values differ that say nothing about the next call, such as another id. */
export function compareArguments(failed: Arguments, worked: Arguments): string | undefined {
  const parts = compare(failed, worked, '', 0);
  return parts.length === 0 ? undefined : parts.slice(0, mostParts).join('; ');
}

function compare(failed: Arguments, worked: Arguments, path: string, depth: number): string[] {
  const names = [...new Set([...Object.keys(failed), ...Object.keys(worked)])];
  return names.flatMap((name) => {
    const at = `${path}${name}`;
    const shown = `\`${at.slice(0, 80)}\``;
    if (!Object.hasOwn(worked, name)) return [`without ${shown}`];
    const [before, after] = [failed[name], worked[name]];
    if (!Object.hasOwn(failed, name)) return [`with ${shown}: ${describe(name, after)}`];
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    if (isObject(before) && isObject(after) && depth < deepest) return compare(before, after, `${at}.`, depth + 1);
    const [was, is] = [shapeOf(before, name), shapeOf(after, name)];
    if (was !== is) return [`${shown} as ${describe(name, after)}, not ${was}`];
    const value = plainValue(name, after);
    return value === undefined ? [] : [`${shown} as ${value}`];
  });
}

function describe(name: string, value: unknown): string {
  const shown = plainValue(name, value);
  return shown === undefined ? shapeOf(value, name) : `${shapeOf(value, name)}, such as ${shown}`;
}

/** Equal for equal failures, whatever the values in their texts were. */
export function signError(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line
    .toLowerCase()
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '“”')
    .replace(/(?:[a-z]:)?[\\/][\w.\\/~-]+/g, '/…')
    .replace(/[0-9a-f]{8,}|\d+/g, '0')
    .replace(/\s+/g, ' ')
    .slice(0, 160);
}
