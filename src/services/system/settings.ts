// What people have set for the system's tools, read anew at every call: a change counts at once.

export interface SystemSettings {
  /** Users, hosts and addresses are told by other names. */
  pseudonyms(): boolean;
  /** Logs that may be read; none named, all of them. */
  logs(): readonly string[];
  /** Folders that may be searched besides the caller's project. */
  roots(): readonly string[];
  /** Tools that change something without asking. */
  unasked(): readonly string[];
}

export const nothingSet: SystemSettings = {
  pseudonyms: () => false,
  logs: () => [],
  roots: () => [],
  unasked: () => [],
};
