// The single entry point for tools, resources, prompts, completions, subscriptions, skills and commands that write. Each
// passes the same stages: wait for a turn, find, check the permission, validate, run under a deadline, finish, redact,
// check the size, audit, log.

import { attempt, type Soon } from '../attempt.ts';
import { type Audit, createRecorder, type Recorder } from '../audit/audit.ts';
import { type Call, CapabilityMissing, InputRequired, MovedToBackground } from '../call.ts';
import { LoreError, toLoreError } from '../error.ts';
import { describeError, type Log } from '../log.ts';
import { redactError } from '../secret/outgoing.ts';
import type { Adviser, Observer } from '../service.ts';
import type { Tool } from '../tool.ts';
import { addAdvice } from './advice.ts';
import { isLarger, ResultTooLarge } from './bound.ts';
import { withDeadline } from './deadline.ts';
import { type Policy, refuse } from './permission.ts';
import { createRateLimit } from './rate.ts';
import { Turns } from './turns.ts';

export interface RegistryRules extends Policy {
  readonly callTimeoutMs: number;
  /** Calls a minute of one expensive tool by one caller. */
  readonly rateLimit: number;
  /** Of a result as JSON; no bound where it is absent. */
  readonly maxResultBytes?: number;
}

/** A tool as the door sees it, and the service that it belongs to. */
export interface Owner {
  readonly tool: Pick<Tool, 'name' | 'effect' | 'scope' | 'group' | 'allowed' | 'expensive' | 'audited' | 'timeoutMs'>;
  readonly serviceId: string;
}

/** Who asks for what. */
export interface Visit {
  /** In the log and the audit log. */
  readonly name: string;
  /** In errors, after "Cannot": `call "recall"`. */
  readonly action: string;
  readonly call: Call;
  /** As they were given, for the audit log. */
  readonly raw?: unknown;
}

/** What a visit finds: who owns it, and its own part of each stage. */
export interface Entrance<A, V, R> {
  /** All of their permissions are needed. The rate, the deadline and the audit rule are the first one's. */
  readonly owners: readonly Owner[];
  /** Advisers are asked when it fails. */
  readonly isTool?: boolean;
  validate(): A;
  run(args: A): Soon<V>;
  finish(value: V): R;
  redact(result: R): Soon<R>;
  /** The part of the result that this call is sent. */
  sent(result: R): unknown;
}

export class Door {
  readonly #log: Log;
  readonly #advisers: () => Adviser[];
  readonly #recorder: Recorder;
  readonly #rate;
  readonly #turns = new Turns();
  #isClosed = false;
  rules: RegistryRules;
  /** Is told of every call that has ended. */
  observe: Observer | undefined;

  constructor(rules: RegistryRules, log: Log, advisers: () => Adviser[], audit?: Audit) {
    this.rules = rules;
    this.#log = log;
    this.#advisers = advisers;
    this.#recorder = createRecorder(audit, log);
    this.#rate = createRateLimit(() => this.rules.rateLimit);
  }

  /** From now on every visit is refused. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Throws a LoreError, or one of the signals of core/call.ts that only the protocol can answer. The work that a signal
   * carries has been wrapped so that it passes the remaining stages later.
   */
  enter<A, V, R>(visit: Visit, find: () => Entrance<A, V, R>): Soon<R> {
    const { name, action, call, raw } = visit;
    let isRunning = false;
    const stages = () => {
      if (this.#isClosed) throw new LoreError('unavailable', `Cannot ${action}: the server is stopping`);
      const entrance = find();
      const [owner] = entrance.owners;
      const called = { name, tool: owner?.tool, raw, call };
      return this.#recorder.finish(called, () => {
        this.#allow(visit, entrance.owners);
        const args = entrance.validate();
        if (owner?.tool.expensive) this.#rate.take(call.caller.id, owner.tool.name);
        isRunning = entrance.isTool === true;
        return this.#recorder.begin(called, () => {
          const value = entrance.run(args);
          if (!(value instanceof Promise)) return this.#complete(visit, entrance, value);
          return withDeadline(value, owner?.tool.timeoutMs ?? this.rules.callTimeoutMs, call, name).then((late) =>
            this.#complete(visit, entrance, late),
          );
        });
      });
    };
    // An error in the call itself needs no advice.
    return this.#logged(
      visit,
      find,
      () => this.#turns.run(call, stages),
      () => isRunning,
    );
  }

  #allow({ action, call }: Visit, owners: readonly Owner[]): void {
    for (const { tool, serviceId } of owners) {
      const refusal = refuse(this.rules, tool, serviceId, call.caller, action);
      if (refusal) throw refusal;
    }
  }

  #complete<A, V, R>(visit: Visit, entrance: Entrance<A, V, R>, value: V): Soon<R> {
    const clean = entrance.redact(entrance.finish(value));
    if (!(clean instanceof Promise)) return this.#bound(visit, entrance, clean);
    return clean.then((result) => this.#bound(visit, entrance, result));
  }

  #bound<A, V, R>({ action }: Visit, entrance: Entrance<A, V, R>, result: R): R {
    const { maxResultBytes = Number.POSITIVE_INFINITY } = this.rules;
    if (isLarger(entrance.sent(result), maxResultBytes)) throw new ResultTooLarge(action, maxResultBytes);
    return result;
  }

  /** The stages that are left when work that moved to the background is done. */
  #continue<A, V, R>(visit: Visit, find: () => Entrance<A, V, R>, work: () => Promise<unknown>): Soon<R> {
    const stages = () => {
      const entrance = findAgain(visit, find);
      const called = { name: visit.name, tool: entrance.owners[0]?.tool, call: visit.call };
      return this.#recorder.finish(called, async () => {
        const value = await work();
        return this.#complete(visit, findAgain(visit, find), value as V);
      });
    };
    return this.#logged(visit, find, stages, () => true);
  }

  #logged<A, V, R>(
    visit: Visit,
    find: () => Entrance<A, V, R>,
    stages: () => Soon<R>,
    wantsAdvice: () => boolean,
  ): Soon<R> {
    const started = performance.now();
    return attempt<R, Soon<R>>(
      stages,
      (result) => {
        this.#write(visit, started, 'ok');
        return result;
      },
      (error) => {
        if (error instanceof MovedToBackground) {
          this.#write(visit, started, error.name);
          throw new MovedToBackground(async (call) => this.#continue({ ...visit, call }, find, () => error.work(call)));
        }
        const settled = this.#settle(visit, started, error);
        const isAdvisable = settled instanceof LoreError && !(settled instanceof ResultTooLarge);
        if (!isAdvisable || !wantsAdvice()) throw settled;
        const advisers = this.#advisers();
        if (advisers.length === 0) throw settled;
        return addAdvice(settled, visit.call, advisers).then((advised) => {
          throw redactError(advised);
        });
      },
    ) as Soon<R>;
  }

  #settle(visit: Visit, started: number, error: unknown): unknown {
    if (error instanceof InputRequired || error instanceof CapabilityMissing) {
      this.#write(visit, started, error.name);
      return error;
    }
    if (visit.call.signal.aborted && !(error instanceof LoreError)) {
      this.#write(visit, started, 'cancelled');
      return error;
    }
    const failure = toLoreError(error, `finish "${visit.name}"`);
    if (failure.word === 'internal')
      this.#log.error('internal_error', { ...failure.details, ...describeError(failure) });
    this.#write(visit, started, failure.word);
    return redactError(failure);
  }

  #write({ name, call }: Visit, started: number, outcome: string): void {
    const isLogged = this.#log.wants('info');
    if (!isLogged && !this.observe) return;
    const ms = Math.round((performance.now() - started) * 1000) / 1000;
    const caller = call.caller.id;
    if (isLogged) this.#log.info('call', { what: name, caller, outcome, ms });
    this.observe?.({ name, caller, outcome, ms });
  }
}

function findAgain<A, V, R>({ name }: Visit, find: () => Entrance<A, V, R>): Entrance<A, V, R> {
  try {
    return find();
  } catch {
    throw new LoreError('unavailable', `Cannot finish "${name}": its service has been stopped`);
  }
}
