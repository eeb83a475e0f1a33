// The gateway itself, for the service and for the command `lore mount`: adds, reviews and removes mounts, and sends requests.
import { join } from 'node:path';
import type { Client } from '../../client/client.ts';
import { eraOf } from '../../client/handshake.ts';
import type { Params } from '../../client/session.ts';
import { UpstreamFailure } from '../../client/wire.ts';
import type { Soon } from '../../core/attempt.ts';
import type { Caller } from '../../core/call.ts';
import {
  type CredentialStore,
  createCredentialStore,
  type OwnedSecret,
  revealCredential,
} from '../../core/credential.ts';
import { LoreError } from '../../core/error.ts';
import { FolderCache } from '../../core/folder-cache.ts';
import { checkSourceName } from '../../core/tool-provider.ts';
import { catalogOf, requireApproval } from './catalog.ts';
import { CrashRecord, createCrashList } from './life/crashes.ts';
import { type UpstreamRequest, Upstreams } from './life/upstreams.ts';
import { authorizeMount, LoginNeeded, logInToMount, type MountLogin } from './login.ts';
import { isSameListing, readListing } from './mount/listing.ts';
import { identityOf, type Mount, originOf, productOf, type ToolRules } from './mount/mount.ts';
import { viewIn } from './mount/profile.ts';
import { type MountState, MountStore } from './mount/store.ts';
import { approveFirst, approveTools, markRemoved } from './trust/approvals.ts';
import type { UpstreamTool } from './trust/definition.ts';
import { findPackage } from './trust/package.ts';
import type { PeerTool } from './trust/poison.ts';

export interface GatewayOptions {
  /** The folder beside the database. */
  folder: string;
  /** Names that permissions already have. */
  reserved(): Promise<readonly string[]>;
  /** Time without calls after which a server is stopped, in ms. */
  idleMs?(): number;
  /** For an answer of a server that seems to hang, in ms. */
  answerMs?(): number;
  /** A list of this mount has changed. */
  changed?(name: string): void;
  /** The caller in the folder that it works in, if its own is none. */
  settle?(caller: Caller): Soon<Caller>;
}

export interface Gateway {
  readonly store: MountStore;
  readonly credentials: CredentialStore;
  /** Stores the mount, connects, and approves what it offers. A server that cannot be reached is not stored. */
  add(mount: Mount, secrets: Readonly<Record<string, string>>): Promise<MountState>;
  /** Logs in to a server over HTTP, and connects. */
  logIn(name: string, login: MountLogin): Promise<MountState>;
  /** Connects, if that is necessary, and reads its lists. */
  refresh(name: string): Promise<MountState>;
  /** Approves tools as they are now. */
  approve(name: string, tools: readonly UpstreamTool[]): Promise<void>;
  /** What the caller sees of a mount. */
  viewFor(state: MountState, caller: Caller): Soon<MountState>;
  request(state: MountState, method: string, params: Params, context: UpstreamRequest): Promise<Params>;
  crashes(name: string): CrashRecord;
  /** Whether it crashed too often to be started. */
  isBroken(name: string): boolean;
  /** Further rules for callers in a folder, given as its real path; undefined removes them. */
  setProfile(name: string, folder: string, rules: ToolRules | undefined): Promise<void>;
  restart(name: string): Promise<void>;
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

const noSecrets: Promise<readonly OwnedSecret[]> = Promise.resolve([]);
/** The identity of a server that has not answered yet. */
const unseen = '';
/** Shorter ones occur by chance. */
const leastSecret = 8;
const defaultIdleMs = 10 * 60_000;
/** Changes of lists that come together are read together. */
const settleMs = 200;

/** Credentials of a mount: environment variables of its process, or HTTP headers. */
export const credentialName = (kind: 'env' | 'header', name: string) => `${kind} ${name}`;

export function openGateway({ folder, reserved, idleMs, answerMs, changed, settle }: GatewayOptions): Gateway {
  const own = join(folder, 'gateway');
  const store = new MountStore(own);
  const credentials = createCredentialStore(own);
  const clients = new Map<string, Client>();
  const crashList = createCrashList(store.runPath);
  const settling = new Map<string, NodeJS.Timeout>();

  async function secretsOf(mount: Mount, kind: 'env' | 'header', names: readonly string[] = []) {
    if (names.length === 0) return {};
    const known = new Map((await credentials.list(mount.name)).map((one) => [one.name, one]));
    const values = names.flatMap((name): [string, string][] => {
      const credential = known.get(credentialName(kind, name));
      // Credentials go only where they were entered for.
      if (credential && credential.origin !== originOf(mount))
        throw new LoreError('conflict', `Cannot use the credentials of "${mount.name}": its address has changed`, {
          hint: `Enter them again: lore mount ${mount.name} …`,
        });
      return credential ? [[name, revealCredential(credential)]] : [];
    });
    return Object.fromEntries(values);
  }

  // Also those of APIs, which lie beside ours.
  const vaults = [own, join(folder, 'forge')].map((place) => {
    const vault = place === own ? credentials : createCredentialStore(place);
    return new FolderCache<Promise<readonly OwnedSecret[]>>(place, () => vault.reveal(), noSecrets);
  });
  let read: readonly Promise<readonly OwnedSecret[]>[] = [];
  /** By server: those that must not be sent to it, as they are written in JSON. */
  let foreign = new Map<string, readonly OwnedSecret[]>();

  /** Waits only if a credential has changed. */
  function listForeign(name: string): Soon<readonly OwnedSecret[]> {
    const now = vaults.map((vault) => vault.get());
    if (now[0] !== read[0] || now[1] !== read[1]) foreign = new Map();
    read = now;
    return foreign.get(name) ?? readForeign(name, foreign, now);
  }

  async function readForeign(
    name: string,
    found: Map<string, readonly OwnedSecret[]>,
    secrets: readonly Promise<readonly OwnedSecret[]>[],
  ): Promise<readonly OwnedSecret[]> {
    const all = (await Promise.all(secrets)).flat();
    const own = new Set(all.filter(({ owner }) => owner === name).map(({ secret }) => secret));
    const others = all
      .filter(({ owner, secret }) => owner !== name && secret.length >= leastSecret && !own.has(secret))
      .map(({ owner, secret }) => ({ owner, secret: JSON.stringify(secret).slice(1, -1) }));
    found.set(name, others);
    return others;
  }

  /** A model may have seen a secret of one source; it is not sent to another. */
  function keepSecrets(name: string, params: Params, others: readonly OwnedSecret[]): void {
    if (others.length === 0) return;
    const text = JSON.stringify(params);
    const leaked = others.find(({ secret }) => text.includes(secret));
    if (leaked)
      throw new LoreError(
        'forbidden',
        `Cannot call "${name}": the arguments contain a credential of "${leaked.owner}"`,
      );
  }

  /** Stores what the server offers now. */
  async function note(name: string, client: Client): Promise<void> {
    const { mount, approvals: earlier, listing: last } = store.get(name);
    // A server that is mounted in place of another one has offered nothing yet.
    const known = earlier?.identity === unseen ? undefined : last;
    const listing = await readListing(client, known, mount.command && findPackage(mount.command));
    const state = store.find(name);
    if (!state || isSameListing(state.listing, listing)) return;
    const approvals = state.approvals && markRemoved(state.approvals, listing.tools);
    await store.save(name, { listing, ...(approvals && approvals !== state.approvals && { approvals }) });
    changed?.(name);
  }

  const upstreams = new Upstreams({
    folder: () => store.runFolder(),
    hooksOf: (name) => ({
      mount: () => store.get(name).mount,
      secrets: () => {
        const { mount } = store.get(name);
        return secretsOf(mount, 'env', mount.command?.env);
      },
      async ready(client) {
        clients.set(name, client);
        await note(name, client);
      },
      allow(method, params) {
        if (method !== 'tools/call') return;
        const state = store.get(name);
        const mounted = catalogOf(state).find(({ tool }) => tool.name === params.name);
        if (!mounted)
          throw new LoreError('not_found', `Cannot run "${String(params.name)}": "${name}" has no such tool`);
        requireApproval(state, mounted);
      },
      notice(method) {
        if (!method.endsWith('/list_changed')) return;
        clearTimeout(settling.get(name));
        const read = async () => {
          const client = clients.get(name);
          if (client) await note(name, client);
        };
        settling.set(name, setTimeout(() => void read().catch(() => {}), settleMs).unref());
      },
      idleMs: () => idleMs?.() ?? defaultIdleMs,
      ...(answerMs && { answerMs }),
      era() {
        const server = store.find(name)?.listing?.server;
        return server && eraOf(server);
      },
    }),
    httpOf(mount) {
      const login = authorizeMount(credentials, mount);
      return {
        url: mount.url as string,
        // A person named the address.
        reach: 'private',
        headers: async (request) => [
          ...(await login.headers(request)),
          ...Object.entries(await secretsOf(mount, 'header', mount.headers)),
        ],
        answered: (headers) => login.answered(headers),
        renew: (challenge) => login.renew(challenge),
      };
    },
  });

  /** In every revision, and through any process, this connects first. */
  async function connect(mount: Mount): Promise<void> {
    try {
      await upstreams.request(mount, 'tools/list', {}, {});
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
    }
  }

  /** Connects for the first time, and approves what the server offers. */
  async function adopt(mount: Mount): Promise<void> {
    const { name } = mount;
    upstreams.drop(name);
    await connect(mount);
    const { listing } = store.get(name);
    if (!listing) throw new LoreError('unavailable', `Cannot mount "${name}": its lists could not be stored`);
    const identity = identityOf(mount, listing);
    await store.save(name, { approvals: approveFirst(listing.tools, identity, name, listPeers(store, mount)) });
  }

  const gateway: Gateway = {
    store,
    credentials,
    async add(mount, secrets) {
      const { name } = mount;
      checkSourceName(name);
      const before = store.find(name);
      if (!before && (await reserved()).includes(name))
        throw new LoreError('conflict', `Cannot mount "${name}": a service or a source has this name`, {
          hint: 'Choose another name.',
        });
      const earlier = await credentials.list(name);
      for (const [key, value] of Object.entries(secrets))
        await credentials.put(name, { name: key, origin: originOf(mount), value });
      gateway.crashes(name).clear();
      // Without approvals nothing of it can be called yet.
      await store.save(name, { mount, approvals: { identity: unseen, tools: {} } });
      try {
        await adopt(mount);
      } catch (error) {
        upstreams.drop(name);
        // A person can log in to it now.
        if (error instanceof LoginNeeded) throw error;
        if (!before) {
          await gateway.remove(name);
          throw error;
        }
        // As it was.
        await credentials.remove(name);
        for (const credential of earlier) await credentials.put(name, await credentials.unlock(name, credential));
        await store.save(name, before);
        throw error;
      }
      return store.get(name);
    },
    async logIn(name, login) {
      const { mount, approvals } = store.get(name);
      await logInToMount(credentials, mount, login);
      upstreams.drop(name);
      if (approvals?.identity === unseen) await adopt(mount);
      return gateway.refresh(name);
    },
    async refresh(name) {
      await connect(store.get(name).mount);
      const client = clients.get(name);
      if (client) await note(name, client);
      return store.get(name);
    },
    async approve(name, tools) {
      const { mount, listing, approvals } = store.get(name);
      if (!listing) throw new LoreError('conflict', `Cannot approve tools of "${name}": they are not known yet`);
      const identity = identityOf(mount, listing);
      // Approvals of another server say nothing about this one.
      const kept = approvals?.identity === identity ? approvals : { identity, tools: {} };
      await store.save(name, { approvals: approveTools(kept, tools, identity) });
      changed?.(name);
    },
    viewFor(state, caller) {
      if (!state.mount.profiles) return state;
      const settled = settle ? settle(caller) : caller;
      return settled instanceof Promise
        ? settled.then((one) => viewIn(state, one.folder))
        : viewIn(state, settled.folder);
    },
    async request({ mount }, method, params, context) {
      const others = listForeign(mount.name);
      keepSecrets(mount.name, params, others instanceof Promise ? await others : others);
      return upstreams.request(mount, method, params, context);
    },
    crashes: (name) => new CrashRecord(store.runFolder(), name),
    isBroken: (name) => crashList.get().get(name)?.isBroken() ?? false,
    async restart(name) {
      const { mount } = store.get(name);
      gateway.crashes(name).clear();
      // Also in another process: a server is started again when its mount is written anew.
      await store.save(name, { mount: { ...mount, restartedAt: Date.now() } });
      upstreams.drop(name);
      await gateway.refresh(name);
    },
    async setProfile(name, folder, rules) {
      const { mount } = store.get(name);
      const { [folder]: earlier, ...others } = mount.profiles ?? {};
      if (!rules && !earlier)
        throw new LoreError('not_found', `Cannot remove the profile of "${name}" in "${folder}": there is none`);
      await store.save(name, { mount: { ...mount, profiles: rules ? { ...others, [folder]: rules } : others } });
      changed?.(name);
    },
    async remove(name) {
      store.get(name);
      upstreams.drop(name);
      await store.remove(name);
      await credentials.remove(name);
      gateway.crashes(name).clear();
      changed?.(name);
    },
    async close() {
      for (const timer of settling.values()) clearTimeout(timer);
      await upstreams.close();
    },
  };
  return gateway;
}

/** The tools of other servers. The same program, mounted twice with other arguments, does not imitate itself. */
export function listPeers(store: MountStore, own: Mount): PeerTool[] {
  const others = store.list().filter(({ mount }) => productOf(mount) !== productOf(own));
  return others.flatMap(({ mount, listing }) =>
    (listing?.tools ?? []).map(({ name, description = '' }) => ({ server: mount.name, name, description })),
  );
}
