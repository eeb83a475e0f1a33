// An agent program as a value: the location of its settings by platform and scope, and the entries to add. Reading, merging
// and removing are the same for all.
import { posix, win32 } from 'node:path';

/** user: for every project of this user. project: in the repository, shared with it. local: this project, this user. */
export const scopes = ['user', 'project', 'local'] as const;
export type InstallScope = (typeof scopes)[number];

/** Everything that the location of a settings file depends on. */
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
  /** Files or folders, one of which exists if the program is installed. */
  traces(place: AgentLocation): string[];
  /** Supported scopes; the first is the default. */
  scopes: Partial<Record<InstallScope, (place: AgentLocation) => SettingsPart[]>>;
  /** What the user has to do once after the installation. */
  note: string;
}

/** The entries for one file. Several parts may share a file. */
export type SettingsPart = ServerPart | TablePart | HooksPart;

interface InFile {
  file: string;
}

/** The server, as an entry of an object in a JSON file. */
export interface ServerPart extends InFile {
  kind: 'server';
  /** Path of the object. */
  path: readonly string[];
  /** Further properties of the entry, besides the command. */
  extra?: Readonly<Record<string, string>>;
  /** The program loads tools when a model searches for them, unless this is set. Written if the list is small. */
  preload?: Readonly<Record<string, boolean>>;
  /** The file belongs to the repository, so its content must work on other machines. */
  shared?: boolean;
}

/** The server, as a table of a TOML file. */
export interface TablePart extends InFile {
  kind: 'table';
  path: readonly string[];
  shared?: boolean;
}

/** Hooks, as a JSON object of lists by event. Never in a shared file: users decide what runs on their machine. */
export interface HooksPart extends InFile {
  kind: 'hooks';
  events: readonly string[];
  /** grouped: `[{hooks: [{type, command}]}]`. flat: `[{command}]`. */
  form: 'grouped' | 'flat';
  extra?: Readonly<Record<string, unknown>>;
  /** Further content that the file needs. */
  head?: Readonly<Record<string, unknown>>;
  shell?: 'powershell';
}

export function joinPath({ platform }: Pick<AgentLocation, 'platform'>, ...parts: string[]): string {
  return (platform === 'win32' ? win32 : posix).join(...parts);
}

/** The folder in which programs keep the user's settings. */
export function applicationFolder(place: AgentLocation): string {
  const { platform, home, env } = place;
  if (platform === 'win32') return env.APPDATA || joinPath(place, home, 'AppData', 'Roaming');
  if (platform === 'darwin') return joinPath(place, home, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME || joinPath(place, home, '.config');
}
