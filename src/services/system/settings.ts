// Settings of the system tools, read at every call, so that a change takes effect at once.

export interface SystemSettings {
  /** Replace users, hosts and addresses with pseudonyms. */
  pseudonyms(): boolean;
  /** Logs that may be read; empty: all. */
  logs(): readonly string[];
  /** Tools that may change the system without a confirmation. */
  unconfirmedTools(): readonly string[];
}

export const nothingSet: SystemSettings = {
  pseudonyms: () => false,
  logs: () => [],
  unconfirmedTools: () => [],
};
