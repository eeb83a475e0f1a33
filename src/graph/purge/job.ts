// What a background job that purges is given. It names entries and never says what is in them.

export const purgeKind = 'purge';

export interface Purge {
  ids: readonly string[];
  /** Of these, only the texts that they had before they were edited. */
  earlier: readonly string[];
  /** The projects that they are in. */
  projects: readonly string[];
}
