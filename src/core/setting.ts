// A setting is a value: its schema, its default, and how it is given. Help and docs are derived from it.
import type { Schema } from './schema.ts';

export interface Setting<T> {
  schema: Schema<T>;
  fallback: T;
  help: string;
  env?: string;
  flag?: string;
  /** Older or foreign names of the variable. */
  envAliases?: readonly string[];
  /** The value as people may see it, where it is or holds a secret. */
  show?(value: T): string;
  /** Takes effect in a running server when the file changes. */
  live?: boolean;
}

export type SettingTable = Readonly<Record<string, Setting<unknown>>>;
