// Describes values without showing them: what a lesson says about arguments must not reveal what they were.

import { isObject } from '../../../core/schema.ts';
import { findSecrets } from '../../../core/secret/redact.ts';

/** The first that fits. */
const texts: readonly [RegExp, string][] = [
  [/^$/, 'an empty text'],
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/, 'a time in RFC 3339 (2030-12-31T23:59:59Z)'],
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d/, 'a time without a zone (2030-12-31T23:59:59)'],
  [/^\d{4}-\d\d-\d\d$/, 'a date (YYYY-MM-DD)'],
  [/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i, 'a UUID'],
  [/^[a-z][a-z0-9+.-]*:\/\//i, 'a URL'],
  [/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an email address'],
  [/^(?:\/|[A-Za-z]:[\\/])/, 'an absolute path'],
  [/^~/, 'a path in the home folder'],
  [/^[\w.-]+\/[\w.-]+$/, 'two names with a slash (owner/name)'],
  [/^[\w.-]*(?:\/[\w.-]+)+$/, 'a relative path'],
  [/^-?\d+$/, 'a text of digits'],
  [/^-?\d+\.\d+$/, 'a decimal number as text'],
  [/^#\w+/, 'a text that begins with #'],
  [/^@\w+/, 'a text that begins with @'],
  [/^\s*[[{]/, 'JSON as text'],
  [/^[A-Z0-9_]+$/, 'a name in capitals'],
  [/^[a-z0-9]+(?:_[a-z0-9]+)+$/, 'a name with underscores'],
  [/^[a-z0-9]+(?:-[a-z0-9]+)+$/, 'a name with hyphens'],
  [/^[a-z]+(?:[A-Z][a-z0-9]*)+$/, 'a name in camel case'],
  [/^[\w.-]+\.\w{1,8}$/, 'a file name'],
  [/^\S+$/, 'one word'],
  [/\n/, 'a text of several lines'],
];

/** The kind of a secret is not described: that would reveal a part of it. */
export function shapeOf(value: unknown, name = ''): string {
  if (typeof value === 'string' && secretName.test(name)) return 'a text';
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'true or false';
  if (typeof value === 'number') return shapeOfNumber(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${plural(shapeOf(value[0]))}`;
  if (isObject(value)) return 'an object';
  if (typeof value !== 'string') return 'nothing';
  return texts.find(([pattern]) => pattern.test(value))?.[1] ?? 'a text';
}

function shapeOfNumber(value: number): string {
  if (value === 0) return 'zero';
  return `a ${value < 0 ? 'negative ' : ''}${Number.isInteger(value) ? 'whole ' : ''}number`;
}

function plural(shape: string): string {
  return shape.replace(/^an? /, '').replace(/ \(.*\)$/, '');
}

const secretName = /pass|secret|token|key|auth|credential|pin\b|session|cookie|private/i;

/**
 * A value that may be shown: a word that only chooses between a few, or that the server named in its error; never something that
 * identifies or opens anything.
 */
export function plainValue(name: string, value: unknown, error: string): string | undefined {
  if (secretName.test(name)) return undefined;
  if (typeof value === 'boolean' || value === null) return String(value);
  if (typeof value !== 'string' || !(/^[a-z]{2,16}$|^[A-Z]{2,16}$/.test(value) || isNamed(value, error)))
    return undefined;
  return findSecrets(`${name}=${value}`).length === 0 ? JSON.stringify(value) : undefined;
}

/** A short word of its text, between others. */
function isNamed(value: string, error: string): boolean {
  return /^[\w-]{2,32}$/.test(value) && new Set(error.match(/[\w-]+/g)).has(value);
}
