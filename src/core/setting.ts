// A setting is a value: its schema, its default, and how it is given. Help and docs are derived from it.
import type { Schema } from './schema.ts';

export interface Setting<T> {
  schema: Schema<T>;
  fallback: T;
  help: string;
  /** Older names of its key in the settings file. */
  aliases?: readonly string[];
  env?: string;
  flag?: string;
  /** Other names of the variable. */
  envAliases?: readonly string[];
  /** The value is never shown or copied. */
  secret?: boolean;
  /** Formats the value for display, if it may contain a secret. */
  show?(value: T): string;
  /** Takes effect in a running server when the file changes. */
  live?: boolean;
}

export type SettingTable = Readonly<Record<string, Setting<unknown>>>;
