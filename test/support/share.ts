// Devices that share memories through a real git remote: each with a database, a clone and a folder for its own repositories.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createPlainCall, personCaller } from '../../src/core/call.ts';
import type { Node, NodeRow } from '../../src/graph/node.ts';
import type { Scope } from '../../src/graph/project/scope.ts';
import { type Sharing, viewRows } from '../../src/graph/share/capture-log.ts';
import { chooseRemote, openRemote } from '../../src/graph/share/destination.ts';
import { openGuard } from '../../src/graph/share/guard/open.ts';
import type { SharedLevel } from '../../src/graph/share/level.ts';
import { writeCanonical } from '../../src/graph/share/op.ts';
import { openSharing, shareMemory } from '../../src/graph/share/share.ts';
import { syncLog } from '../../src/graph/share/sync.ts';
import type { SyncedLog } from '../../src/graph/share/synced.ts';
import { list, sql } from '../../src/store/sql.ts';
import { type Database, sqlite } from './databases.ts';
import { createFolder } from './folder.ts';
import { openServices, type Services } from './services.ts';

export function git(folder: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...author, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }).toString();
}

export function createRemote(...options: string[]): string {
  const folder = join(createFolder('remote'), 'remote.git');
  mkdirSync(folder);
  git(folder, 'init', '-q', '--bare', ...options);
  return folder;
}

export interface Device {
  name: string;
  /** The user's clone. */
  folder: string;
  services: Services;
  scope: Scope;
  remember(content: string, more?: object): Promise<string>;
  share(id: string, level?: SharedLevel): Promise<void>;
  sync(level?: SharedLevel): Promise<SyncedLog>;
  get(id: string): Promise<Node | undefined>;
  call(tool: string, args: object): Promise<Record<string, unknown>>;
  /** All shared memories as this database has them, in a form that is equal on every device. */
  export(level?: SharedLevel): Promise<string>;
}

export interface DeviceOptions {
  database?: Database;
  now?: () => number;
  /** A clone that exists. */
  folder?: string;
  /** The folder for our own repositories. */
  home?: string;
  /** Of a device that works in another project as well. */
  services?: Services;
  /** The path of an SSH key. */
  signingKey?: string;
}

const pool = new Map<string, Services>();

/** Devices in a project and with a remote of their own; the databases are used again, since opening one takes longest. */
export async function openTwo(): Promise<{ remote: string; ann: Device; bob: Device }> {
  const remote = createRemote();
  const open = async (name: string) => {
    const services = pool.get(name);
    const device = await createDevice(name, remote, services && { services });
    pool.set(name, device.services);
    return device;
  };
  return { remote, ann: await open('Ann'), bob: await open('Bob') };
}

/** After all tests of a file. */
export async function closeDevices(): Promise<void> {
  for (const services of pool.values()) await services.close();
  pool.clear();
}

export async function createDevice(name: string, remote: string, options: DeviceOptions = {}): Promise<Device> {
  const { database = sqlite, now, home = createFolder('sync') } = options;
  const folder = options.folder ?? join(createFolder('clone'), 'project');
  if (options.folder === undefined) {
    mkdirSync(folder);
    git(folder, 'init', '-q');
    git(folder, 'remote', 'add', 'origin', remote);
  }
  const services = options.services ?? (await openServices(database, folder, { stays: false, ...(now && { now }) }));
  const caller = { ...personCaller, folder };
  const scope = { ...(await services.folders.open(caller)), actor: name };
  const { opened, project } = scope;
  const sharingOf = (level: SharedLevel): Promise<Sharing> => openSharing(scope, level, name);
  const call = async (tool: string, args: object) =>
    (await services.registry.call(tool, args, createPlainCall(caller))).structured as Record<string, unknown>;
  const get = (id: string) => opened.graph.get(id);
  return {
    name,
    folder,
    services,
    scope,
    call,
    get,
    remember: async (content, more = {}) => String((await call('remember', { content, ...more })).id),
    share: async (id, level = 'team') => shareMemory(scope, (await get(id)) as Node, await sharingOf(level)),
    async sync(level = 'team') {
      await chooseRemote(scope, level, remote);
      const place = openRemote(scope, level, remote, { folder: home });
      const guard = { folder: home, signingKey: () => options.signingKey ?? '' };
      const openIt = () => openGuard(scope, level, place, guard);
      return syncLog(opened, await sharingOf(level), { remote: place, openGuard: openIt });
    },
    async export(level = 'team') {
      const rows = await opened.store.all<NodeRow>(
        sql`select * from node where project in ${list(scope.projects)} and level = ${level} order by id`,
      );
      const ids = rows.map(({ id }) => id);
      const { states } = await viewRows(opened.store, { project: project.id, level }, ids, rows);
      return states
        .map(({ node, state: { since: _, ...state } }) => writeCanonical({ id: node.id, ...state }))
        .join('\n');
    },
  };
}
