// Settings as the tools see them, whichever program keeps them; and how such a program is run.
import type { LoreError } from '../../../core/error.ts';

export interface SettingValue {
  name: string;
  /** As the platform calls it. */
  type: string;
  /** JSON where the type allows it, else the platform's own text. */
  value: unknown;
}

export interface SettingsStore {
  /** The settings at the address, and the names of what lies below it. */
  list(): Promise<{ values: SettingValue[]; keys: string[] }>;
  get(name: string): Promise<SettingValue | undefined>;
  /** Refuses what the platform's own check of types does not take. */
  put(name: string, type: string, value: unknown): Promise<void>;
  /** As if it had never been set. */
  remove(name: string): Promise<void>;
}

export type Run = (
  program: string,
  args: readonly string[],
  explain?: (complaint: string) => LoreError | undefined,
) => Promise<string>;

/** The type of a setting that is not there, or is to go. */
export const none = 'none';
