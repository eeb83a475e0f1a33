// The interface of a settings store, implemented for each platform, and how its program is run.
import type { LoreError } from '../../../core/error.ts';

export interface SettingValue {
  name: string;
  /** As the platform calls it. */
  type: string;
  /** JSON where the type allows it, else the platform's own text. */
  value: unknown;
}

export interface SettingsStore {
  /** The settings at the address, and the names below it. */
  list(): Promise<{ values: SettingValue[]; keys: string[] }>;
  get(name: string): Promise<SettingValue | undefined>;
  /** Throws if the platform rejects the type. */
  put(name: string, type: string, value: unknown): Promise<void>;
  /** As if it had never been set. */
  remove(name: string): Promise<void>;
}

export type Run = (
  program: string,
  args: readonly string[],
  explain?: (complaint: string) => LoreError | undefined,
) => Promise<string>;

/** The type of a setting that does not exist or is to be removed. */
export const none = 'none';
