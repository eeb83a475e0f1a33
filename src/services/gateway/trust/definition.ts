// The parts of a tool that a person approves, in one canonical form: the order of keys does not matter, and nothing that a model
// or a program acts on is left out.
import { hashHex } from '../../../core/crypto.ts';
import { isObject } from '../../../core/schema.ts';

/** A tool as its server describes it. */
export interface UpstreamTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
  readonly icons?: unknown;
  readonly [key: string]: unknown;
}

export const approvedParts = [
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  'icons',
  '_meta',
  'execution',
] as const;

/** Deeper values are compared as text; recursion must not overflow. */
const deepest = 200;

export function hashDefinition(tool: UpstreamTool): string {
  return hashHex(writeCanonical(Object.fromEntries(approvedParts.map((part) => [part, tool[part]]))));
}

/** JSON with sorted keys. The order of required properties has no meaning either. */
export function writeCanonical(value: unknown, indent?: number): string {
  return JSON.stringify(sortKeys(value, 0), undefined, indent) ?? 'null';
}

function sortKeys(value: unknown, depth: number): unknown {
  if (depth > deepest) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map((entry) => sortKeys(entry, depth + 1));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sortEntry(key, entry, depth + 1)]));
}

function sortEntry(key: string, value: unknown, depth: number): unknown {
  const isSet = key === 'required' && Array.isArray(value) && value.every((name) => typeof name === 'string');
  return isSet ? [...value].sort() : sortKeys(value, depth);
}
