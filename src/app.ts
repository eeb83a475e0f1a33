// The composition root: connects settings, registry, services and protocol, for every transport.
import { dirname, join } from 'node:path';
import type { Config, ConfigInput } from './config/load.ts';
import { settingsFolder, watchConfig } from './config/load.ts';
import type { Settings } from './config/settings.ts';
import { auditKeyFolders } from './core/audit/key.ts';
import type { Caller } from './core/call.ts';
import { LoreError } from './core/error.ts';
import { heapShare } from './core/heap.ts';
import { type LearningRules, pausedUntil } from './core/learning.ts';
import { defaultLocation, folderBeside } from './core/location.ts';
import type { Log } from './core/log.ts';
import { coreProfile, projectsDefault, projectsPermission } from './core/registry/permission.ts';
import { Registry, type RegistryRules } from './core/registry/registry.ts';
import type { Service } from './core/service.ts';
import { version } from './core/version.ts';
import { isIgnoredFolder } from './files/ignored-folder.ts';
import { protectOwnFiles } from './files/own.ts';
import { createGraphAccess, type GraphAccess } from './graph/access.ts';
import type { ChangeFeed } from './graph/change-feed.ts';
import type { GraphSettings } from './graph/open.ts';
import type { FolderRules, Folders } from './graph/project/grant.ts';
import { isReserved } from './graph/project/reserved-folder.ts';
import type { GuardOptions } from './graph/share/guard/open.ts';
import type { Demand } from './protocol/hub.ts';
import { Protocol } from './protocol/protocol.ts';
import { heads } from './services/heads.ts';
import type { Administration } from './services/server/admin.ts';
import type { SystemSettings } from './services/system/settings.ts';
import { createAuditLog } from './store/audit/log.ts';
import { createHomes, type Homes } from './store/home.ts';
import { locateTenant } from './store/postgres/tenant.ts';

export interface App {
  /** The settings at the start. */
  readonly config: Config;
  /** The current settings. */
  readonly settings: () => Settings;
  readonly log: Log;
  readonly registry: Registry;
  /** All services, including disabled ones. */
  readonly offered: readonly Service[];
  readonly graph: GraphAccess;
  /** The folders that callers may work in. */
  readonly folders: Folders;
  /** By the current settings. */
  readonly learning: LearningRules;
  readonly protocol: Protocol;
  /** Where sync has its files, and how it signs. */
  readonly sync: GuardOptions;
  /** Loads and starts the services. `folders` and `offered` are set afterwards. */
  load(): Promise<void>;
  /** Announces changes by other processes too, until the returned function is called. */
  followOthers(): () => void;
  /** Follows the settings file from now on: live settings take effect without a restart. */
  watch(input: ConfigInput): void;
  /** Where sessions and tasks are, for the server with this address. */
  homes(server: string): Homes;
  /** The same app for a tenant, with its own part of the database and its own files. Created at the first use. */
  forTenant(tenant: string): App;
  /** Finishes or refuses the calls in progress, then stops the services. */
  stop(): Promise<void>;
}

/** Time to finish running calls, and the same again to refuse the rest: clients wait about two seconds for a server to exit. */
const graceMs = 800;

/** The first calls are over by then. */
const readAfterMs = 2_000;

export interface AppOptions {
  config: Config;
  log: Log;
  /** False if the process ends after one command. */
  stays?: boolean;
  /** Services besides the product's own, or a function that creates them from the app's parts. */
  services?: readonly Service[] | ((parts: ServiceParts) => readonly Service[]);
  /** Without the product's own services. */
  only?: boolean;
  tenant?: string;
}

/** The parts that a service can be built on. */
export interface ServiceParts {
  readonly registry: Registry;
  readonly graph: GraphAccess;
  readonly folders: Folders;
  readonly learning: LearningRules;
}

export async function createApp(options: AppOptions): Promise<App> {
  const app = prepareApp(options);
  await app.load();
  return app;
}

/** An app whose services are not loaded yet: it answers the handshake, and loads them for anything else. */
export function prepareApp(options: AppOptions): App {
  const { config, log, stays = true, services = [], only = false, tenant } = options;
  protectOwnFiles({ settingsFile: config.file, location: config.values.db });
  let { values } = config;
  const offered: Service[] = [];
  const location = config.values.db || defaultLocation();
  const graph = createGraphAccess(tenant === undefined ? location : locateTenant(location, tenant), {
    endpoint: endpointOf(config.values),
    log,
    rank: () => ({ mode: values.rank, budgetMs: values.rank_budget_ms }),
    timeoutMs: config.values.db_wait_ms,
    stays,
    migrations: () => offered.flatMap(({ migrations = [] }) => migrations),
  });
  const folder = join(folderBeside(config.values.db), ...(tenant === undefined ? [] : ['tenants', tenant]));
  const audit = createAuditLog({ folder, keyFolders: auditKeyFolders(config.file, folder), query: graph.query, log });
  const registry = new Registry(rulesOf(config.values), log, audit, () => values);
  const learning: LearningRules = {
    pausedUntil: (projects, at) => pausedUntil(values.paused, projects, at),
    ignores: (folder) => isIgnoredFolder(folder, values.ignore_folders),
    samplingMs: () => values.sampling_timeout_ms,
  };
  const sync = {
    folder: join(folder, 'sync'),
    signingKey: () => values.signing_key,
    minutes: () => (values.read_only ? 0 : values.sync_minutes),
  };
  let folders: Folders | undefined;
  let loading: Promise<void> | undefined;
  let isLoaded = false;
  async function load(): Promise<void> {
    const { createFolders } = await import('./graph/project/grant.ts');
    const now = () => values;
    folders = createFolders(graph, folderRules(now));
    const parts = { registry, graph, folders, learning };
    const pinBudget = () => ({ tools: values.pinned_tools, tokens: values.pinned_tokens });
    if (!only) {
      const { createServices } = await import('./services/index.ts');
      offered.push(
        ...createServices({
          ...parts,
          sync,
          system: { settings: systemSettings(now) },
          forge: { folder, pinBudget },
          administration: createAdministration(registry, offered, config.file, folder),
          gateway: { folder },
        }),
      );
    }
    offered.push(...(typeof services === 'function' ? services(parts) : services));
    for (const service of offered) requireOwnNames(service);
    // No client has received a list that this would change.
    await reconcile(registry, offered, values, { quiet: true });
    isLoaded = true;
    // Loads everything that may be needed later, while the files of this version exist.
    if (stays) setTimeout(() => void import('./graph/open.ts'), readAfterMs).unref();
  }
  const loadOnce = () => {
    loading ??= load();
    return loading;
  };
  const protocol = new Protocol(
    registry,
    {
      name: 'lorekeeper',
      title: 'Lorekeeper',
      version,
      instructions: (client) => instruct(isLoaded ? listRunning(registry) : listWanted(values), client),
      pageSize: config.values.page_size,
      structured: config.values.structured,
      stateKey: () =>
        graph.query(async ({ store }) => (await import('./store/shared-key.ts')).openSharedKey(store, 'state')),
      load: loadOnce,
    },
    log,
  );
  const followOthers = createFollowing(graph, protocol.hub);
  let unwatch = () => {};
  let watched: ConfigInput | undefined;
  const tenants = new Map<string, App>();
  return {
    config,
    settings: () => values,
    log,
    registry,
    offered,
    graph,
    get folders() {
      if (!folders) throw new Error('The services are not loaded yet');
      return folders;
    },
    learning,
    protocol,
    sync,
    load: loadOnce,
    followOthers,
    homes: (server) => createHomes(async () => (await graph.open()).store, server, config.values.session_idle_ms * 2),
    forTenant(name) {
      const known = tenants.get(name);
      if (known) return known;
      const app = prepareApp({ ...options, config: { ...config, values }, tenant: name });
      if (watched) app.watch(watched);
      tenants.set(name, app);
      return app;
    },
    watch(input) {
      watched = input;
      unwatch = watchConfig(config, { ...input, services: offered }, async (next) => {
        if (next instanceof LoreError) return log.error('settings_refused', { error: next.message });
        values = next.values;
        log.setThreshold(values.log_level);
        registry.setRules(rulesOf(values));
        await loading;
        await reconcile(registry, offered, values);
        log.info('settings_changed');
      });
    },
    async stop() {
      unwatch();
      await Promise.all([...tenants.values()].map((app) => app.stop()));
      await loading?.catch(() => {});
      await protocol.close(graceMs);
      await registry.stop();
      await audit.close();
      await graph.close();
      log.flush();
    },
  };
}

/** Services that share a settings file and a database must have different names. */
function requireOwnNames({ id, settings = {}, migrations = [] }: Service): void {
  const wrong =
    Object.keys(settings).find((key) => !key.startsWith(`${id}_`)) ??
    migrations.find((migration) => !migration.id.startsWith(`${id}/`))?.id;
  if (wrong !== undefined) throw new Error(`Cannot use service "${id}": "${wrong}" does not begin with its id`);
}

/** Changes by other processes are announced while a client wants to know of them, or somebody else does. */
function createFollowing(graph: GraphAccess, hub: Protocol['hub']): App['followOthers'] {
  const watching = new Set<object>();
  let demand: Demand | undefined;
  let changes: ChangeFeed | undefined;
  const isWatched = () => watching.size > 0 || demand === 'resources';
  const update = () => {
    changes?.follow(isWatched() ? 'fast' : demand && 'slow');
    // If it cannot be opened now, the next read opens it. What is listed alone is no reason: most sessions begin with it.
    if (isWatched()) void graph.open().catch(() => {});
  };
  graph.whenOpen((opened) => {
    changes = opened.changes;
    update();
  });
  hub.onDemand((next) => {
    demand = next;
    update();
  });
  return () => {
    const one = {};
    watching.add(one);
    update();
    return () => {
      watching.delete(one);
      update();
    };
  };
}

/** By the settings at the time of each call. */
function folderRules(now: () => Settings): FolderRules {
  return {
    roots: () => now().roots,
    projects: () => now().permissions[projectsPermission] ?? projectsDefault,
    // Not the folder of a database or settings file elsewhere, which may be a project's.
    own: [settingsFolder(), dirname(defaultLocation())],
  };
}

/** By the settings at the time of each call. */
function systemSettings(now: () => Settings): SystemSettings {
  return {
    logs: () => now().logs,
    unconfirmedTools: () => now().unconfirmed_tools,
    pseudonyms: () => now().pseudonyms,
  };
}

/** Changes go to the settings file, which this server and others follow. */
function createAdministration(
  registry: Registry,
  offered: readonly Service[],
  file: string,
  folder: string,
): Administration {
  const open = () => import('./config/administer.ts');
  return {
    policy: () => registry.rules,
    permissions: () => registry.permissions(),
    furtherNames: async () => (await Promise.all(offered.map((one) => one.permissionNames?.() ?? []))).flat(),
    setPermission: async (name, level) => (await open()).setPermission(name, level),
    pause: async (projects, until) => (await open()).setPause(projects, until),
    pausedUntil: async (projects) => (await open()).readPause(projects),
    readAudit: async (count) => {
      const [{ readLastLines }, { readAuditKeys }] = await Promise.all([
        import('./core/audit/verify.ts'),
        import('./core/audit/key.ts'),
      ]);
      return readLastLines(folder, count, await readAuditKeys(auditKeyFolders(file, folder)));
    },
  };
}

function rulesOf(values: Settings): RegistryRules {
  return {
    readOnly: values.read_only,
    permissions: values.permissions,
    shown: values.profile === coreProfile ? { '*': [coreProfile], ...values.shown_tools } : values.shown_tools,
    callTimeoutMs: values.call_timeout_ms,
    rateLimit: values.rate_limit,
    // With a small heap, less than the setting allows.
    maxResultBytes: Math.min(values.max_result_bytes, heapShare(1 / 64)),
  };
}

/** The embeddings endpoint, if one is set. Wrong settings are reported now, not at the first query. */
function endpointOf(values: Settings): GraphSettings['endpoint'] {
  const { embed_url: url, embed_model: model, embed_key: key, embed_dimensions: dimensions } = values;
  if (url === '') return undefined;
  if (model === '') {
    throw new LoreError('invalid_input', 'Cannot use the settings: embed_url needs embed_model', {
      hint: 'Set embed_model to the model that the endpoint should use.',
    });
  }
  return { url, model, key, dimensions, timeoutMs: values.embed_timeout_ms };
}

/** Starts and stops services according to the settings. */
async function reconcile(
  registry: Registry,
  offered: readonly Service[],
  values: Settings,
  options?: { quiet: boolean },
): Promise<void> {
  const running = new Set(registry.services().map(({ id }) => id));
  for (const service of offered) {
    const wanted = !isDisabled(service, values);
    if (wanted && !running.has(service.id)) await registry.register(service, options);
    if (!wanted && running.has(service.id)) await registry.unregister(service.id);
  }
}

function listRunning(registry: Registry) {
  return registry.services().filter(({ state }) => state === 'running');
}

/** Only our own: other services are loaded before the handshake. */
function listWanted(values: Settings) {
  return heads.filter((head) => !isDisabled(head, values));
}

function isDisabled(
  { id, group = id }: Pick<Service, 'id' | 'group'>,
  { disabled_services: disabled }: Settings,
): boolean {
  return disabled.includes(id) || disabled.includes(group);
}

function instruct(
  services: readonly { id: string; summary: string }[],
  { caller, offersRoots }: { caller: Caller; offersRoots: boolean },
): string {
  return [
    'Lorekeeper is a context server that all agents working on this project share.',
    ...(offersRoots ? [] : explainFolder(caller)),
    ...services.map(({ id, summary }) => `${id}: ${summary}`),
  ].join('\n');
}

function explainFolder(caller: Caller): string[] {
  try {
    const { folder } = caller;
    if (!isReserved(folder)) return [];
    return [
      `This server was started in ${folder}, which is not a project: memories belong to the user, and files cannot be read. Pass "project" (folder, name or id) with each call, or ask the user to start the server with --project FOLDER or LORE_PROJECT=FOLDER.`,
    ];
  } catch {
    // The working directory was deleted. The calls that need it report that.
    return [];
  }
}
