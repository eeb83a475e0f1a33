// Settings of the system tools, read at every call, so that a change takes effect at once.

export interface SystemSettings {
  /** Replace users, hosts and addresses with pseudonyms. */
  pseudonyms(): boolean;
  /** Logs that may be read; empty: all. */
  logs(): readonly string[];
  /** Tools that change something without a confirmation. */
  unasked(): readonly string[];
}

export const nothingSet: SystemSettings = {
  pseudonyms: () => false,
  logs: () => [],
  unasked: () => [],
};
