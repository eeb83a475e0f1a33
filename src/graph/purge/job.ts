// The input of a background job that purges. It lists entries without their content.

export const purgeKind = 'purge';

export interface Purge {
  ids: readonly string[];
  /** Of these, only earlier versions. */
  earlier: readonly string[];
  /** The projects of the entries. */
  projects: readonly string[];
}
