// Secrets have no option: a command gets them from an environment variable that an option names.
import { LoreError } from '../core/error.ts';

export function readEnvironment(key: string): string {
  const value = process.env[key];
  if (value) return value;
  throw new LoreError('invalid_input', `Cannot read the environment variable "${key}": it is not set`);
}
