// What people have set for the system's tools, read anew at every call: a change counts at once.

export interface SystemSettings {
  /** Users, hosts and addresses are told by other names. */
  pseudonyms(): boolean;
  /** Logs that may be read; none named, all of them. */
  logs(): readonly string[];
  /** Tools that change something without asking. */
  unasked(): readonly string[];
}

export const nothingSet: SystemSettings = {
  pseudonyms: () => false,
  logs: () => [],
  unasked: () => [],
};
