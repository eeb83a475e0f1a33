// The servers of all mounts, as this process reaches them: run here for everybody, through the process that runs them, or over HTTP.
import type { Client } from '../../../client/client.ts';
import { connectHttp } from '../../../client/connect.ts';
import { type HttpUpstream, SessionEnded } from '../../../client/http-wire.ts';
import type { Params, RequestContext } from '../../../client/session.ts';
import type { Mount } from '../mount/mount.ts';
import { ChildServer, type ServerHooks } from './child-server.ts';
import { chooseSocket, findHolder } from './holder.ts';
import { HolderGone, type RelayedUpstream } from './relay-client.ts';
import { openRelay, type Relay } from './relay-server.ts';
import type { Upstream } from './upstream.ts';

export interface UpstreamsOptions {
  /** For sockets, records of processes, and logs. */
  folder(): string;
  hooksOf(name: string): Omit<ServerHooks, 'folder'>;
  httpOf(mount: Mount): HttpUpstream;
}

export interface UpstreamRequest extends RequestContext {
  /** It changes nothing, so it may be sent again if the process that ran the server is gone. */
  readonly isRepeatable?: boolean;
}

export class Upstreams {
  readonly #options: UpstreamsOptions;
  readonly #held = new Map<string, ChildServer>();
  readonly #found = new Map<string, Promise<Upstream>>();
  #relay: Promise<Relay> | undefined;
  #isClosed = false;

  constructor(options: UpstreamsOptions) {
    this.#options = options;
  }

  async request(mount: Mount, method: string, params: Params, context: UpstreamRequest): Promise<Params> {
    const upstream = await this.find(mount);
    try {
      return await upstream.request(method, params, context);
    } catch (error) {
      if (!(error instanceof HolderGone || error instanceof SessionEnded)) throw error;
      this.#found.delete(mount.name);
      const wasRun = error instanceof HolderGone && error.wasSent;
      if ((wasRun && !context.isRepeatable) || this.#isClosed) throw error;
      return (await this.find(mount)).request(method, params, context);
    }
  }

  find(mount: Mount): Promise<Upstream> {
    const { name } = mount;
    const known = this.#found.get(name);
    if (known) return known;
    const finding = mount.command ? this.#findProcess(name) : this.#connectHttp(mount);
    this.#found.set(name, finding);
    const forget = () => this.#found.get(name) === finding && this.#found.delete(name);
    finding.then((upstream) => (upstream as RelayedUpstream).isClosed === true && forget(), forget);
    return finding;
  }

  /** Ends the server, if this process runs it; it starts again with the next call. */
  drop(name: string): void {
    this.#held.get(name)?.close();
    if (this.#held.has(name)) return;
    const found = this.#found.get(name);
    this.#found.delete(name);
    found?.then((upstream) => upstream.close()).catch(() => {});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const name of [...this.#found.keys(), ...this.#held.keys()]) this.drop(name);
    const relay = await this.#relay?.catch(() => undefined);
    relay?.close();
  }

  async #findProcess(name: string): Promise<Upstream> {
    const folder = this.#options.folder();
    const relayed = await findHolder(folder, name, async () => {
      // Before others learn of the socket.
      this.#held.set(name, new ChildServer(name, { ...this.#options.hooksOf(name), folder }));
      this.#relay ??= openRelay(chooseSocket(folder), (wanted) => this.#held.get(wanted));
      return (await this.#relay).path;
    });
    return relayed ?? (this.#held.get(name) as ChildServer);
  }

  async #connectHttp(mount: Mount): Promise<Upstream> {
    const { name } = mount;
    const hooks = this.#options.hooksOf(name);
    const client: Client = await connectHttp(this.#options.httpOf(mount), {
      era: hooks.era(),
      notice: hooks.notice,
      closed: () => this.#found.delete(name),
    });
    await hooks.ready(client);
    return {
      async request(method, params, context) {
        hooks.allow(method, params);
        return client.request(method, params, context);
      },
      close: () => client.close(),
    };
  }
}
