// A server that this process runs for all of the user's processes: started by the first call, stopped when it is idle, and
// restarted by the next call after a crash.
import { homedir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, connectClient } from '../../../client/client.ts';
import { eraOf, type ServerEra } from '../../../client/handshake.ts';
import type { Params, RequestContext } from '../../../client/session.ts';
import { overStdio } from '../../../client/stdio-wire.ts';
import { UpstreamFailure } from '../../../client/wire.ts';
import { LoreError } from '../../../core/error.ts';
import { cleanEnvironment } from '../../../core/program/program.ts';
import type { Mount, MountCommand } from '../mount/mount.ts';
import { CrashRecord, crashError, longestWaitMs } from './crashes.ts';
import { ServerLog } from './log-file.ts';
import { type ChildRecord, markVariable, recordChild } from './orphans.ts';
import type { Upstream } from './upstream.ts';

export interface ServerHooks {
  /** For the records of processes, and logs. */
  readonly folder: string;
  mount(): Mount;
  /** The values of its environment variables. */
  secrets(): Promise<{ readonly [variable: string]: string }>;
  /** It is connected: lists are read before the first call. */
  ready(client: Client): Promise<void>;
  /** Throws if a request is not approved, as the server describes itself now. */
  allow(method: string, params: Params): void;
  notice(method: string, params: Params): void;
  idleMs(): number;
  /** For an answer of a process that seems to hang, in ms. */
  answerMs?(): number;
  /** The revision family that it spoke last time. */
  era(): ServerEra | undefined;
}

const answerMs = 5_000;

interface RunningServer {
  client: Client;
  /** The command it was started with. */
  command: string;
}

export class ChildServer implements Upstream {
  readonly #name: string;
  readonly #hooks: ServerHooks;
  readonly #crashes: CrashRecord;
  #running: Promise<RunningServer> | undefined;
  /** It runs as this mount describes it, so a call need not wait. */
  #ready: { client: Client; mount: Mount } | undefined;
  #idle: NodeJS.Timeout | undefined;
  #idleMs: number | undefined;
  #inFlight = 0;
  #isChecking = false;
  /** Identifies the current start; another one, or none, once it is closed here. */
  #life: object | undefined;
  pid: number | undefined;

  constructor(name: string, hooks: ServerHooks) {
    this.#name = name;
    this.#hooks = hooks;
    this.#crashes = new CrashRecord(hooks.folder, name);
  }

  async request(method: string, params: Params, context: RequestContext): Promise<Params> {
    this.#inFlight++;
    try {
      const { client } = this.#ready?.mount === this.#hooks.mount() ? this.#ready : await this.connect(context.signal);
      this.#hooks.allow(method, params);
      return await client.request(method, params, context);
    } catch (error) {
      if (context.signal?.aborted) void this.#checkAlive();
      throw error;
    } finally {
      this.#inFlight--;
      this.#watchIdle();
    }
  }

  /** Starts it, unless it runs. A command that was changed is started instead of the old one. */
  async connect(signal?: AbortSignal): Promise<RunningServer> {
    const mount = this.#hooks.mount();
    const command = JSON.stringify([mount.command, mount.restartedAt]);
    for (;;) {
      const starting = this.#running ?? this.#start(command);
      this.#running = starting;
      const running = await abortable(starting, signal);
      if (running.command === command) {
        if (this.#running === starting) this.#ready = { client: running.client, mount };
        return running;
      }
      if (this.#running !== undefined) this.close();
    }
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#idle = undefined;
    const running = this.#forget();
    this.#life = undefined;
    running?.then(({ client }) => client.close()).catch(() => {});
  }

  #forget(): Promise<RunningServer> | undefined {
    const running = this.#running;
    this.#running = undefined;
    this.#ready = undefined;
    return running;
  }

  #start(command: string): Promise<RunningServer> {
    const life = {};
    this.#life = life;
    const starting = this.#open(command, life);
    starting.catch(() => {
      if (this.#running === starting) this.#forget();
    });
    return starting;
  }

  async #open(command: string, life: object): Promise<RunningServer> {
    const hooks = this.#hooks;
    await this.#waitAfterCrash();
    const { program, args, folder } = hooks.mount().command as MountCommand;
    const secrets = await hooks.secrets();
    const log = new ServerLog(hooks.folder, this.#name, Object.values(secrets));
    const record = recordChild(hooks.folder, this.#name);
    const started = performance.now();
    const state: { isUp: boolean; closed?: LoreError } = { isUp: false };
    const end = () => this.#end(record, log);
    try {
      const open = overStdio({
        program,
        args,
        folder: folder ?? homedir(),
        env: { ...cleanEnvironment(), ...secrets, [markVariable]: record.mark },
        log: (line) => log.write(line),
        started: ({ pid }) => {
          this.pid = pid;
        },
      });
      const client = await connectClient(open, {
        era: hooks.era(),
        notice: hooks.notice,
        closed: (error) => {
          state.closed = error;
          if (!state.isUp) return;
          // Otherwise it was closed here.
          if (this.#life === life) {
            this.#forget();
            this.#noteCrash(error, log, performance.now() - started);
          }
          end();
        },
      });
      await hooks.ready(client);
      state.isUp = true;
      if (state.closed) throw state.closed;
      return { client, command };
    } catch (error) {
      const failure = this.#noteCrash(error, log, 0);
      end();
      throw failure;
    }
  }

  #end(record: ChildRecord, log: ServerLog): void {
    this.pid = undefined;
    record.remove();
    log.close();
  }

  #noteCrash(error: unknown, log: ServerLog, upMs: number): LoreError {
    const state = error instanceof LoreError ? error.message.replace(/^[^:]*: /, '') : 'it failed';
    this.#crashes.add({ at: Date.now(), state, tail: [...log.tail] }, upMs);
    return crashError(this.#name, this.#crashes.read(), `Its log: lore mount logs ${this.#name}`);
  }

  async #waitAfterCrash(): Promise<void> {
    const crashes = this.#crashes;
    if (crashes.isBroken())
      throw crashError(
        this.#name,
        crashes.read(),
        `It is not started again until a person runs: lore mount restart ${this.#name}`,
      );
    const delay = crashes.delay();
    if (delay > longestWaitMs)
      throw crashError(this.#name, crashes.read(), `It is started again in ${Math.ceil(delay / 1000)} s.`);
    if (delay > 0) await wait(delay);
  }

  /** After a call that did not end in time: a process that answers nothing at all would make every further call wait as long. */
  async #checkAlive(): Promise<void> {
    const running = await this.#running?.catch(() => undefined);
    if (!running || this.#isChecking) return;
    this.#isChecking = true;
    const { client } = running;
    const method = eraOf(client.server) === 'session' ? 'ping' : 'server/discover';
    try {
      await client.request(method, {}, { signal: AbortSignal.timeout(this.#hooks.answerMs?.() ?? answerMs) });
    } catch (error) {
      // An error is an answer, too.
      if (!(error instanceof UpstreamFailure) && (await this.#running) === running) this.close();
    } finally {
      this.#isChecking = false;
    }
  }

  #watchIdle(): void {
    if (this.#inFlight > 0 || !this.#running) return;
    const ms = this.#hooks.idleMs();
    if (this.#idle && this.#idleMs === ms) return void this.#idle.refresh();
    clearTimeout(this.#idle);
    this.#idleMs = ms;
    this.#idle = setTimeout(() => this.#inFlight === 0 && this.close(), ms).unref();
  }
}

/** Waits for what other calls wait for too, but not longer than this one wants. */
async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop));
}
