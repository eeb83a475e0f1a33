// An agent program as a value: where its settings are on each platform and in each scope, and what is added to them. Reading,
// merging and removing are the same for all.
import { posix, win32 } from 'node:path';

/** user: for every project of this user. project: in the repository, shared with it. local: this project, this user. */
export const scopes = ['user', 'project', 'local'] as const;
export type InstallScope = (typeof scopes)[number];

/** Where we are: everything a file's place depends on. */
export interface AgentLocation {
  platform: NodeJS.Platform;
  home: string;
  env: NodeJS.ProcessEnv;
  /** The top of the project. */
  project: string;
}

export interface Agent {
  id: string;
  title: string;
  /** Files or folders of which one is there when the program is. */
  traces(place: AgentLocation): string[];
  /** Scopes the program has; the first is taken when none is named. */
  scopes: Partial<Record<InstallScope, (place: AgentLocation) => SettingsPart[]>>;
  /** What a person has to do once, after installing. */
  note: string;
}

/** What goes into one file. Several parts may share one. */
export type SettingsPart = ServerPart | TablePart | HooksPart;

interface InFile {
  file: string;
}

/** The server, as an entry of an object in a JSON file. */
export interface ServerPart extends InFile {
  kind: 'server';
  /** The object's place. */
  path: readonly string[];
  /** What the program wants in an entry besides the command. */
  extra?: Readonly<Record<string, string>>;
  /** The file is the repository's: what is written has to work on other people's machines. */
  shared?: boolean;
}

/** The server, as a table of a TOML file. */
export interface TablePart extends InFile {
  kind: 'table';
  path: readonly string[];
  shared?: boolean;
}

/** Hooks, as a JSON object of lists by event. Never in a shared file: what runs on a machine its user decides. */
export interface HooksPart extends InFile {
  kind: 'hooks';
  events: readonly string[];
  /** grouped: `[{hooks: [{type, command}]}]`. flat: `[{command}]`. */
  form: 'grouped' | 'flat';
  extra?: Readonly<Record<string, unknown>>;
  /** What the file has to say besides, when it does not. */
  head?: Readonly<Record<string, unknown>>;
  shell?: 'powershell';
}

export function joinPath({ platform }: Pick<AgentLocation, 'platform'>, ...parts: string[]): string {
  return (platform === 'win32' ? win32 : posix).join(...parts);
}

/** The folder in which programs keep a user's settings, each in one of its own. */
export function applicationFolder(place: AgentLocation): string {
  const { platform, home, env } = place;
  if (platform === 'win32') return env.APPDATA || joinPath(place, home, 'AppData', 'Roaming');
  if (platform === 'darwin') return joinPath(place, home, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME || joinPath(place, home, '.config');
}
