// The single entry point for tools, resources, prompts, completions, subscriptions, skills and commands that write. Each
// visit passes the same stages, which are listed in `Door`; one that waits for nothing passes them without a promise.
import type { Soon } from '../attempt.ts';
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
import { findRefusal, type Policy } from './permission.ts';
import { createRateLimit } from './rate.ts';
import { Turns } from './turns.ts';

export interface RegistryRules extends Policy {
  readonly callTimeoutMs: number;
  /** Calls per minute of one expensive tool by one caller. */
  readonly rateLimit: number;
  /** Size limit of a result as JSON; unlimited if absent. */
  readonly maxResultBytes?: number;
}

/** Calls at once: of tools that work here, and of those that wait for another program. */
const atOnce = { works: 4, waits: 256 };

/** A tool as the door sees it, and its service. */
export interface Owner {
  readonly tool: Pick<Tool, 'name' | 'effect' | 'scope' | 'group' | 'allowed' | 'expensive' | 'audited'>;
  readonly serviceId: string;
}

/** The caller and the request. */
export interface Visit {
  /** Name in the log and the audit log. */
  readonly name: string;
  /** Name in errors, after "Cannot": `call "recall"`. */
  readonly action: string;
  readonly call: Call;
  /** Raw arguments, for the audit log. */
  readonly raw?: unknown;
  /** It mostly waits for another program. */
  readonly waits?: boolean | undefined;
}

/** The entry of a visit: its owners, and its part of each stage. */
export interface Entrance<A, V, R> {
  /** All of their permissions are needed. Rate and audit rule are those of the first. */
  readonly owners: readonly Owner[];
  /** Advisers are called when it fails. */
  readonly isTool?: boolean;
  validate(raw: unknown): A;
  run(args: A, call: Call): Soon<V>;
  /** Without what is not sent to this call. */
  finish(value: V, receives: Call['receives']): R;
  redact(result: R): Soon<R>;
  /** The part of the result that is sent to this call. */
  sent(result: R, receives: Call['receives']): unknown;
}

type AnyEntrance = Entrance<unknown, unknown, unknown>;
type Find = (visit: Visit) => AnyEntrance;

/** A running visit. */
class Passage implements Visit {
  readonly name: string;
  readonly action: string;
  readonly call: Call;
  readonly raw: unknown;
  readonly waits: boolean | undefined;
  readonly find: Find;
  /** The rest of a visit that moved to the background. */
  readonly work: (() => Promise<unknown>) | undefined;
  readonly started = performance.now();
  entrance: AnyEntrance | undefined;
  /** First the arguments, then the return value, then the result. */
  value: unknown;
  /** The return value, for the audit log. */
  returned: unknown;
  /** Where it has a turn. */
  turns: Turns | undefined;
  /** An error in the call itself needs no advice. */
  wantsAdvice = false;
  isRecorded = false;

  constructor({ name, action, call, raw, waits }: Visit, find: Find, work?: () => Promise<unknown>) {
    this.name = name;
    this.action = action;
    this.call = call;
    this.raw = raw;
    this.waits = waits;
    this.find = find;
    this.work = work;
  }

  get found(): AnyEntrance {
    return this.entrance as AnyEntrance;
  }

  get tool(): Owner['tool'] | undefined {
    return this.entrance?.owners[0]?.tool;
  }

  noteTurn(turns: Turns): undefined {
    this.turns = turns;
  }

  keep(value: Soon<unknown>): Promise<void> | undefined {
    if (value instanceof Promise) return value.then((late) => void this.keep(late));
    this.value = value;
    return undefined;
  }
}

/** Throws to end the visit; returns a promise if the next stage has to wait. */
type Stage = (this: Door, passage: Passage) => Promise<unknown> | undefined;

export class Door {
  readonly #log: Log;
  readonly #advisers: () => Adviser[];
  readonly #recorder: Recorder;
  readonly #rate;
  readonly #turns = { works: new Turns(atOnce.works), waits: new Turns(atOnce.waits) };
  #isClosed = false;
  rules: RegistryRules;
  /** Called after every call. */
  observe: Observer | undefined;

  readonly #stages: readonly Stage[] = [
    this.#takeTurn,
    this.#find,
    this.#allow,
    this.#validate,
    this.#limitRate,
    this.#recordBegin,
    this.#run,
    this.#finish,
    this.#redact,
    this.#checkSize,
    this.#recordEnd,
  ];

  /** For background work. Its service may stop meanwhile. */
  readonly #laterStages: readonly Stage[] = [
    this.#findAgain,
    this.#runWork,
    this.#findAgain,
    this.#finish,
    this.#redact,
    this.#checkSize,
    this.#recordEnd,
  ];

  constructor(rules: RegistryRules, log: Log, advisers: () => Adviser[], audit?: Audit) {
    this.rules = rules;
    this.#log = log;
    this.#advisers = advisers;
    this.#recorder = createRecorder(audit, log);
    this.#rate = createRateLimit(() => this.rules.rateLimit);
  }

  /** Refuses every further visit. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Throws a LoreError, or a signal of core/call.ts that only the protocol can answer. The work in a signal is wrapped so
   * that it passes the remaining stages later.
   */
  enter<A, V, R>(visit: Visit, find: (visit: Visit) => Entrance<A, V, R>): Soon<R> {
    return this.#pass(new Passage(visit, find as Find), this.#stages) as Soon<R>;
  }

  #pass(passage: Passage, stages: readonly Stage[], from = 0): Soon<unknown> {
    try {
      for (let next = from; next < stages.length; next++) {
        const pending = (stages[next] as Stage).call(this, passage);
        if (pending === undefined) continue;
        return pending.then(
          () => this.#pass(passage, stages, next + 1),
          (error: unknown) => this.#fail(passage, error),
        );
      }
    } catch (error) {
      return this.#fail(passage, error);
    }
    this.#leaveTurn(passage);
    this.#write(passage, 'ok');
    return passage.value;
  }

  #takeTurn(passage: Passage): Promise<void> | undefined {
    const turns = passage.waits ? this.#turns.waits : this.#turns.works;
    const waiting = turns.take(passage.call);
    return waiting ? waiting.then(() => passage.noteTurn(turns)) : passage.noteTurn(turns);
  }

  #leaveTurn({ turns }: Passage): void {
    turns?.leave();
  }

  #find(passage: Passage): undefined {
    if (this.#isClosed) throw new LoreError('unavailable', `Cannot ${passage.action}: the server is stopping`);
    passage.entrance = passage.find(passage);
  }

  #findAgain(passage: Passage): undefined {
    try {
      passage.entrance = passage.find(passage);
    } catch {
      throw new LoreError('unavailable', `Cannot finish "${passage.name}": its service has been stopped`);
    }
  }

  #allow({ found, call, action }: Passage): undefined {
    for (const { tool, serviceId } of found.owners) {
      const refusal = findRefusal(this.rules, tool, serviceId, call.caller, action);
      if (refusal) throw refusal;
    }
  }

  #validate(passage: Passage): undefined {
    passage.value = passage.found.validate(passage.raw);
  }

  #limitRate({ tool, call }: Passage): undefined {
    if (tool?.expensive) this.#rate.take(call.caller.id, tool.name);
  }

  #recordBegin(passage: Passage): Promise<void> | undefined {
    return this.#recorder.begin(passage);
  }

  #run(passage: Passage): Promise<void> | undefined {
    const { found, call, name } = passage;
    passage.wantsAdvice = found.isTool === true;
    const value = found.run(passage.value, call);
    if (!(value instanceof Promise)) return passage.keep(value);
    return passage.keep(withDeadline(value, this.rules.callTimeoutMs, call, name));
  }

  #runWork(passage: Passage): Promise<void> | undefined {
    passage.wantsAdvice = true;
    return passage.keep(passage.work?.());
  }

  #finish(passage: Passage): undefined {
    passage.returned = passage.value;
    passage.value = passage.found.finish(passage.value, passage.call.receives);
  }

  #redact(passage: Passage): Promise<void> | undefined {
    return passage.keep(passage.found.redact(passage.value));
  }

  #checkSize({ found, value, call, action }: Passage): undefined {
    const { maxResultBytes = Number.POSITIVE_INFINITY } = this.rules;
    if (isLarger(found.sent(value, call.receives), maxResultBytes)) throw new ResultTooLarge(action, maxResultBytes);
  }

  #recordEnd(passage: Passage): Promise<void> | undefined {
    passage.isRecorded = true;
    return this.#recorder.end(passage, passage.returned);
  }

  #fail(passage: Passage, error: unknown): Soon<never> {
    const recording = passage.entrance && !passage.isRecorded && this.#recorder.fail(passage, error);
    return recording ? recording.then(() => this.#refuse(passage, error)) : this.#refuse(passage, error);
  }

  #refuse(passage: Passage, error: unknown): Promise<never> {
    this.#leaveTurn(passage);
    if (error instanceof MovedToBackground) {
      this.#write(passage, error.name);
      const { name, action, find } = passage;
      throw new MovedToBackground(async (call) =>
        this.#pass(new Passage({ name, action, call }, find, () => error.work(call)), this.#laterStages),
      );
    }
    const settled = this.#settle(passage, error);
    const isAdvisable = settled instanceof LoreError && !(settled instanceof ResultTooLarge) && passage.wantsAdvice;
    const advisers = isAdvisable ? this.#advisers() : [];
    if (!isAdvisable || advisers.length === 0) throw settled;
    return addAdvice(settled, passage.call, advisers).then((advised) => {
      throw redactError(advised);
    });
  }

  #settle(passage: Passage, error: unknown): unknown {
    if (error instanceof InputRequired || error instanceof CapabilityMissing) {
      this.#write(passage, error.name);
      return error;
    }
    if (passage.call.signal.aborted && !(error instanceof LoreError)) {
      this.#write(passage, 'cancelled');
      return error;
    }
    const failure = toLoreError(error, `finish "${passage.name}"`);
    if (failure.word === 'internal')
      this.#log.error('internal_error', { ...failure.details, ...describeError(failure) });
    this.#write(passage, failure.word);
    return redactError(failure);
  }

  #write({ name, call, started }: Passage, outcome: string): void {
    const isLogged = this.#log.wants('info');
    if (!isLogged && !this.observe) return;
    const ms = Math.round((performance.now() - started) * 1000) / 1000;
    const caller = call.caller.id;
    if (isLogged) this.#log.info('call', { what: name, caller, outcome, ms });
    this.observe?.({ name, caller, outcome, ms });
  }
}
