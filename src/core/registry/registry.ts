// The running services and what they offer. stdio, HTTP, REST routes and the command line all enter here, through the one door
// (core/registry/door.ts). Services can be registered and unregistered at run time.
import type { Soon } from '../attempt.ts';
import type { Audit } from '../audit/audit.ts';
import { type Call, type Caller, createPlainCall, personCaller } from '../call.ts';
import { LoreError, toLoreError } from '../error.ts';
import { describeError, type Log } from '../log.ts';
import { isInside } from '../path.ts';
import { prepareSecrets } from '../secret/redact.ts';
import type { Adviser, EndedCall, ListKind, Observer, Service } from '../service.ts';
import type { Tool, ToolResult } from '../tool.ts';
import type { ToolProvider } from '../tool-provider.ts';
import { Door, type Entrance, type Owner, type RegistryRules, type Visit } from './door.ts';
import { createPlainEntrance, createToolEntrance } from './entrance.ts';
import { describeOffTool } from './off-tool.ts';
import { type Listed, type ListedKind, listOffers, type Offered, type OfferKind } from './offer.ts';
import { findRefusal, isHidden, isShown, isUndecided, levelOf, type PermissionLevel, profileOf } from './permission.ts';
import { acceptProject } from './project-argument.ts';

export type { RegistryRules } from './door.ts';

export type RegistryChange = { list: ListKind } | { updated: string };

export interface ServiceStatus {
  id: string;
  title: string;
  summary: string;
  state: 'running' | 'failed';
  tools: number;
  /** Why it failed to start. */
  problem?: string;
}

export interface ToolPermission {
  tool: Tool;
  service: string;
  level: PermissionLevel;
}

/** Runs after the first responses: a start must not wait for it. */
const warmAfterMs = 200;

interface ToolOwner extends Owner {
  readonly tool: Tool;
  readonly entrance: Entrance<unknown, unknown, ToolResult>;
}

interface Running {
  service: Service;
  /** Before it has started, or after it failed to, it serves nothing. */
  isStarted: boolean;
  problem?: string;
  adviser?: Adviser;
  observer?: Observer;
}

export class Registry {
  readonly #running = new Map<string, Running>();
  readonly #listeners = new Set<(change: RegistryChange) => void>();
  readonly #log: Log;
  readonly #door: Door;
  readonly #settings: () => object;
  #tools: Map<string, ToolOwner> | undefined;
  #providers: readonly ToolProvider[] | undefined;
  readonly #offered = new Map<OfferKind, Offered<OfferKind>[]>();
  /** Increases with every change of a list: a cached list is valid while it is unchanged. */
  generation = 0;

  constructor(rules: RegistryRules, log: Log, audit?: Audit, settings: () => object = () => ({})) {
    this.#log = log;
    this.#settings = settings;
    this.#door = new Door(rules, log, () => this.#advisers(), audit);
  }

  get rules(): RegistryRules {
    return this.#door.rules;
  }

  setRules(rules: RegistryRules): void {
    const listing = ({ readOnly, permissions, shown }: RegistryRules) => JSON.stringify([readOnly, permissions, shown]);
    const before = listing(this.rules);
    this.#door.rules = rules;
    if (listing(rules) === before) return;
    for (const list of ['tools', 'resources', 'prompts'] as const) this.#announce({ list });
  }

  /** `quiet`: without notifying clients of changed lists. */
  async register(service: Service, { quiet = false } = {}): Promise<void> {
    if (this.#running.has(service.id))
      throw new LoreError('conflict', `Cannot register "${service.id}": it is already registered`);
    const entry: Running = { service, isStarted: false };
    this.#running.set(service.id, entry);
    try {
      await service.start?.({
        changed: (list) => this.#announce({ list }),
        updated: (uri) => this.#announce({ updated: uri }),
        advise: (adviser) => {
          entry.adviser = adviser;
        },
        observe: (observer) => {
          entry.observer = observer;
          this.#door.observe = (ended) => this.#notifyObservers(ended);
        },
        hiddenTools: (caller) => this.#hiddenTools(caller),
        hiddenTool: (name, caller) => this.#hiddenTool(name, caller),
        callableTool: (name, caller) => this.#callableTool(name, caller),
        call: (name, raw, call) => this.call(name, raw, call),
        toolProviders: () => {
          this.#providers ??= this.#healthy().flatMap(({ toolProvider }) => toolProvider ?? []);
          return this.#providers;
        },
        setting: (key) => {
          const values = this.#settings();
          return key in values ? values[key as keyof object] : service.settings?.[key]?.fallback;
        },
        log: this.#log,
      });
    } catch (error) {
      const failure = toLoreError(error, `start service "${service.id}"`);
      entry.problem = failure.message;
      this.#log.error('service_failed', { service: service.id, ...failure.details, ...describeError(failure) });
      return;
    }
    entry.isStarted = true;
    if (quiet) this.#renew();
    else this.#announceLists(service);
    setTimeout(() => this.#warm(service), warmAfterMs).unref();
  }

  /** Prepares validators of foreign schemas and the rules for secrets before the first call needs them. */
  #warm(service: Service): void {
    prepareSecrets();
    for (const { name, input } of service.tools?.() ?? []) {
      try {
        input.warm?.();
      } catch (error) {
        this.#log.error('schema_refused', { tool: name, ...describeError(error) });
      }
    }
  }

  async unregister(id: string): Promise<void> {
    const entry = this.#running.get(id);
    if (!entry) return;
    this.#running.delete(id);
    this.#announceLists(entry.service);
    await this.#stopService(entry);
  }

  async #stopService({ service, problem }: Running): Promise<void> {
    if (problem !== undefined) return;
    try {
      await service.stop?.();
    } catch (error) {
      this.#log.error('service_stop_failed', { service: service.id, ...describeError(error) });
    }
  }

  /** Refuses further calls, then stops all services. They stay listed, so that clients get no notice of a changed list. */
  async stop(): Promise<void> {
    this.#door.close();
    await Promise.all([...this.#running.values()].map((entry) => this.#stopService(entry)));
  }

  onChange(listener: (change: RegistryChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  services(): ServiceStatus[] {
    return [...this.#running.values()].map(({ service, problem }) => {
      const { id, title, summary } = service;
      if (problem !== undefined) return { id, title, summary, state: 'failed', tools: 0, problem };
      return {
        id,
        title,
        summary,
        state: 'running',
        tools: service.tools?.().filter(({ scope }) => scope === undefined).length ?? 0,
      };
    });
  }

  /** The tools that this caller may call, by name. */
  tools(caller: Caller): Tool[] {
    return [...this.#index().values()].filter((owner) => this.allows(owner, caller)).map(({ tool }) => tool);
  }

  /** The tools in a client's list: those that it may call, and those that nobody has allowed or refused yet. */
  listedTools(caller: Caller, profile: string | undefined): Tool[] {
    return [...this.#index().values()].flatMap((owner) => {
      const { tool, serviceId } = owner;
      if (!isShown(this.rules, profile, tool, serviceId) || !isListedIn(tool, caller)) return [];
      if (this.allows(owner, caller)) return tool;
      const allowed = { ...this.rules, permissions: { [tool.name]: 'write' as const } };
      const isOpen = isUndecided(this.rules, tool, serviceId) && !findRefusal(allowed, tool, serviceId, caller);
      return isOpen ? describeOffTool(tool, serviceId) : [];
    });
  }

  /** The folders of tools that are listed for this caller, but not for all. */
  listedFolders(caller: Caller): string[] {
    const tools = [...this.#index().values()].map(({ tool }) => tool);
    return [...new Set(tools.flatMap((tool) => (tool.folder && isListedIn(tool, caller) ? tool.folder : [])))];
  }

  #hiddenTools(caller: Caller): Tool[] {
    return [...this.#index().values()].filter((owner) => this.#isHidden(owner, caller)).map(({ tool }) => tool);
  }

  #hiddenTool(name: string, caller: Caller): Tool | undefined {
    const owner = this.#index().get(name);
    return owner && this.#isHidden(owner, caller) ? owner.tool : undefined;
  }

  #callableTool(name: string, caller: Caller): Tool | undefined {
    const owner = this.#index().get(name);
    return owner && this.allows(owner, caller) ? owner.tool : undefined;
  }

  #isHidden(owner: Owner, caller: Caller): boolean {
    return isHidden(this.rules, owner.tool, owner.serviceId) && this.allows(owner, caller);
  }

  /** The profile from the settings that applies to a client. */
  profile(client: string | undefined): string | undefined {
    return profileOf(this.rules, client);
  }

  /** Every running tool, and its permission. */
  permissions(): ToolPermission[] {
    return [...this.#index().values()].map(({ tool, serviceId }) => ({
      tool,
      service: serviceId,
      level: levelOf(this.rules, tool, serviceId),
    }));
  }

  /** Everything of one kind that running services offer, with the owner of each. Only core/registry/lookup.ts may open these. */
  offered<K extends OfferKind>(kind: K): Offered<K>[] {
    let offered = this.#offered.get(kind) as Offered<K>[] | undefined;
    if (!offered) {
      offered = this.#healthy().flatMap((service) =>
        listOffers(service, kind).flatMap((entry) => {
          const owner = this.#ownerOf(service.id, entry.permission);
          return owner ? [{ entry, owner }] : [];
        }),
      );
      this.#offered.set(kind, offered);
    }
    return offered;
  }

  /** The entries that this caller may see, without their code, which only the door runs. */
  listed<K extends ListedKind>(kind: K, caller: Caller): Listed<K>[] {
    return this.offered(kind)
      .filter(({ owner }) => this.allows(owner, caller))
      .map(({ entry }) => entry);
  }

  allows({ tool, serviceId }: Owner, caller: Caller): boolean {
    return !findRefusal(this.rules, tool, serviceId, caller);
  }

  /** Not served if its owning tool does not exist. */
  #ownerOf(serviceId: string, permission: string | undefined): Owner | undefined {
    if (permission === undefined) return { tool: { name: serviceId, effect: 'read' }, serviceId };
    const owner = this.#index().get(permission);
    return owner?.serviceId === serviceId ? owner : undefined;
  }

  find(name: string): Tool | undefined {
    return this.#index().get(name)?.tool;
  }

  mayCall(name: string, caller: Caller): boolean {
    const owner = this.#index().get(name);
    return owner !== undefined && this.allows(owner, caller);
  }

  call(name: string, raw: unknown, call: Call): Soon<ToolResult> {
    const waits = this.#index().get(name)?.tool.waits;
    return this.#door.enter({ name, action: `call "${name}"`, raw, call, waits }, this.#findTool);
  }

  readonly #findTool = ({ name }: Visit) => {
    const owner = this.#index().get(name);
    if (owner) return owner.entrance;
    throw new LoreError('not_found', `Cannot call "${name}": there is no such tool`);
  };

  /** The same door for everything that is not a tool. */
  enter<A, V, R>(visit: Visit, find: (visit: Visit) => Entrance<A, V, R>): Soon<R> {
    return this.#door.enter(visit, find);
  }

  /** Work of a command that changes data: it needs the permissions of the tools that do the same, and is audited. */
  async perform<T>(command: string, tools: readonly string[], args: unknown, work: () => Promise<T>): Promise<T> {
    const call = createPlainCall(personCaller);
    const action = `run "lore ${command}"`;
    return this.#door.enter({ name: command, action, raw: args, call }, () => {
      const owners = tools.map((name) => {
        const owner = this.#index().get(name);
        if (owner) return owner;
        throw new LoreError('unavailable', `Cannot ${action}: the service with the tool "${name}" is not running`, {
          hint: 'lore service list shows all services.',
        });
      });
      const [first = { tool: { name: command, effect: 'write' as const }, serviceId: command }, ...others] = owners;
      const tool = { ...first.tool, audited: true as const, timeoutMs: Number.POSITIVE_INFINITY };
      return createPlainEntrance([{ ...first, tool }, ...others], work);
    });
  }

  #notifyObservers(ended: EndedCall): void {
    for (const { observer, isStarted, service } of this.#running.values()) {
      if (!observer || !isStarted) continue;
      try {
        observer(ended);
      } catch (error) {
        this.#log.error('observer_failed', { service: service.id, ...describeError(error) });
      }
    }
  }

  /** Records that a caller was refused before it reached any tool. */
  async turnAway(name: string, raw: unknown, caller: Caller, error: unknown): Promise<void> {
    const findRefusal = () => {
      throw error;
    };
    const visit = { name, action: `use "${name}"`, raw, call: createPlainCall(caller) };
    await this.#door.enter(visit, () => createPlainEntrance<void>([], findRefusal));
  }

  #advisers(): Adviser[] {
    return [...this.#running.values()].flatMap(({ isStarted, adviser }) => (isStarted && adviser) || []);
  }

  #healthy(): Service[] {
    return [...this.#running.values()].filter(({ isStarted }) => isStarted).map(({ service }) => service);
  }

  /** Sorted by name, so that the order does not depend on registration. */
  #index(): Map<string, ToolOwner> {
    if (this.#tools) return this.#tools;
    const found = new Map<string, ToolOwner>();
    for (const service of this.#healthy()) {
      for (const one of service.tools?.() ?? []) {
        const tool = service.visit ? acceptProject(one, service.visit) : one;
        const other = found.get(tool.name);
        if (other) this.#log.error('tool_conflict', { tool: tool.name, kept: other.serviceId, dropped: service.id });
        else {
          const owner = { tool, serviceId: service.id };
          found.set(tool.name, { ...owner, entrance: createToolEntrance(owner) });
        }
      }
    }
    this.#tools = new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
    return this.#tools;
  }

  #announceLists(service: Service): void {
    this.#renew();
    if (service.tools) this.#announce({ list: 'tools' });
    if (service.resources || service.templates) this.#announce({ list: 'resources' });
    if (service.prompts) this.#announce({ list: 'prompts' });
  }

  #renew(): void {
    this.#tools = undefined;
    this.#providers = undefined;
    this.#offered.clear();
    this.generation++;
  }

  #announce(change: RegistryChange): void {
    if ('list' in change) this.#renew();
    for (const listener of this.#listeners) listener(change);
  }
}

function isListedIn({ folder }: Tool, caller: Caller): boolean {
  return folder === undefined || isInside(caller.folder, folder);
}
