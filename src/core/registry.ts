// The one door: stdio, HTTP, REST routes and the command line all call tools here, in one order: find, may this caller,
// validate, run under a deadline, validate the answer, take secrets out, audit, log. Services come and go while it runs.
import { attempt, type Soon } from './attempt.ts';
import { type Audit, createRecorder, type Recorder } from './audit.ts';
import { type Call, type Caller, CapabilityMissing, InputRequired, MovedToBackground } from './call.ts';
import { text } from './content.ts';
import { type Advice, LoreError, toLoreError } from './error.ts';
import { describeError, type Log } from './log.ts';
import { redactAnswer, redactError, redactResult } from './outgoing.ts';
import { levelOf, type PermissionLevel, type Policy, refuse } from './permission.ts';
import { createRateLimit } from './rate.ts';
import { prepareSecrets, redactDeep } from './redact.ts';
import { check } from './schema.ts';
import type { Adviser, ListKind, Prompt, Resource, ResourceTemplate, Service } from './service.ts';
import type { SkillSource } from './skill.ts';
import type { Tool, ToolResult } from './tool.ts';

export interface Rules extends Policy {
  readonly callTimeoutMs: number;
  /** Calls a minute of one expensive tool by one caller. */
  readonly rateLimit: number;
}

export type Change = { list: ListKind } | { updated: string };

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

/** After the first answers have left: a start must not wait for it. */
const warmAfterMs = 200;

/** A failure is told without advice rather than much later. */
const adviceMs = 300;

interface Running {
  service: Service;
  /** Until it has started, and after it failed to, it serves nothing. */
  isStarted: boolean;
  problem?: string;
  adviser?: Adviser;
}

export class Registry {
  readonly #running = new Map<string, Running>();
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #log: Log;
  readonly #rate;
  readonly #recorder: Recorder;
  #rules: Rules;
  #tools: Map<string, { tool: Tool; serviceId: string }> | undefined;
  /** Goes up with every change of what can be listed: a cache of a list is good as long as this number stands. */
  generation = 0;

  constructor(rules: Rules, log: Log, audit?: Audit) {
    this.#rules = rules;
    this.#log = log;
    this.#recorder = createRecorder(audit, log);
    this.#rate = createRateLimit(() => this.#rules.rateLimit);
  }

  get rules(): Rules {
    return this.#rules;
  }

  setRules(rules: Rules): void {
    this.#rules = rules;
    this.#announce({ list: 'tools' });
  }

  async register(service: Service): Promise<void> {
    if (this.#running.has(service.id)) throw new LoreError('conflict', `Cannot register "${service.id}": it is there`);
    const entry: Running = { service, isStarted: false };
    this.#running.set(service.id, entry);
    try {
      await service.start?.({
        changed: (list) => this.#announce({ list }),
        updated: (uri) => this.#announce({ updated: uri }),
        advise: (adviser) => {
          entry.adviser = adviser;
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
    this.#announceLists(service);
    setTimeout(() => this.#warm(service), warmAfterMs).unref();
  }

  /** So that the first call that needs a foreign schema's validator, or the rules for secrets, does not pay for them. */
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
    if (entry.problem !== undefined) return;
    try {
      await entry.service.stop?.();
    } catch (error) {
      this.#log.error('service_stop_failed', { service: id, ...describeError(error) });
    }
  }

  onChange(listener: (change: Change) => void): () => void {
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

  /** What this caller may call, by name. */
  tools(caller: Caller): Tool[] {
    return [...this.#index().values()]
      .filter(({ tool, serviceId }) => !refuse(this.#rules, tool, serviceId, caller))
      .map(({ tool }) => tool);
  }

  /** Every tool that runs, and what is allowed of it. */
  permissions(): ToolPermission[] {
    return [...this.#index().values()].map(({ tool, serviceId }) => ({
      tool,
      service: serviceId,
      level: levelOf(this.#rules, tool, serviceId),
    }));
  }

  resources(): Resource[] {
    return this.#healthy().flatMap((service) => service.resources?.() ?? []);
  }

  templates(): ResourceTemplate[] {
    return this.#healthy().flatMap((service) => service.templates?.() ?? []);
  }

  prompts(): Prompt[] {
    return this.#healthy().flatMap((service) => service.prompts?.() ?? []);
  }

  skills(): SkillSource[] {
    return this.#healthy().flatMap((service) => service.skills ?? []);
  }

  find(name: string): Tool | undefined {
    return this.#index().get(name)?.tool;
  }

  /**
   * Throws a LoreError, or one of the signals of core/call.ts that only the protocol can answer. What a signal carries
   * has been wrapped so that work done later passes the same checks.
   */
  call(name: string, raw: unknown, call: Call): Soon<ToolResult> {
    let isRunning = false;
    const work = () => {
      const entry = this.#index().get(name);
      if (!entry) throw new LoreError('not_found', `Cannot call "${name}": there is no such tool`);
      const { tool, serviceId } = entry;
      const refusal = refuse(this.#rules, tool, serviceId, call.caller);
      if (refusal) throw refusal;
      const args = check(tool.input, raw ?? {}, 'arguments', `call "${name}"`);
      if (tool.expensive) this.#rate.take(call.caller.id, name);
      isRunning = true;
      const run = () => {
        const value = tool.run(args, call);
        if (!(value instanceof Promise)) return finish(tool, value);
        return withDeadline(value, tool.timeoutMs ?? this.#rules.callTimeoutMs, call, name).then((late) =>
          finish(tool, late),
        );
      };
      return this.#recorder.begin({ name, tool, raw, call }, run);
    };
    const recorded = () => this.#recorder.finish({ name, tool: this.find(name), raw, call }, work);
    // What is wrong with the call itself says so already.
    return this.#guard(name, call, recorded, () => isRunning);
  }

  /** Runs what is not a tool (a resource, a prompt) under the same deadline, door for errors and secrets, and log. */
  run<T>(what: string, call: Call, work: () => Soon<T>): Soon<T> {
    const run = () => {
      const value = work();
      if (!(value instanceof Promise)) return redactAnswer(value);
      return withDeadline(value, this.#rules.callTimeoutMs, call, what).then(redactAnswer);
    };
    return this.#guard(what, call, () => this.#recorder.finish({ name: what, call }, run));
  }

  #guard<T>(what: string, call: Call, work: () => Soon<T>, wantsAdvice = () => false): Soon<T> {
    const started = performance.now();
    return attempt<T, Soon<T>>(
      work,
      (result) => {
        this.#logCall(what, call, started, 'ok');
        return result;
      },
      (error) => {
        const settled = this.#settle(what, call, started, error);
        if (!(settled instanceof LoreError) || !wantsAdvice()) throw settled;
        const advisers = this.#advisers();
        if (advisers.length === 0) throw settled;
        return findAdvice(settled, call, advisers).then((advised) => {
          throw redactError(advised);
        });
      },
    ) as Soon<T>;
  }

  #advisers(): Adviser[] {
    return [...this.#running.values()].flatMap(({ isStarted, adviser }) => (isStarted && adviser) || []);
  }

  #settle(what: string, call: Call, started: number, error: unknown): unknown {
    if (error instanceof MovedToBackground) {
      this.#logCall(what, call, started, error.name);
      return new MovedToBackground((later) => this.#continue(what, error.work, later));
    }
    if (error instanceof InputRequired || error instanceof CapabilityMissing) {
      this.#logCall(what, call, started, error.name);
      return error;
    }
    if (call.signal.aborted && !(error instanceof LoreError)) {
      this.#logCall(what, call, started, 'cancelled');
      return error;
    }
    const failure = toLoreError(error, `finish "${what}"`);
    if (failure.word === 'internal')
      this.#log.error('internal_error', { ...failure.details, ...describeError(failure) });
    this.#logCall(what, call, started, failure.word);
    return redactError(failure);
  }

  async #continue(name: string, work: (call: Call) => Promise<unknown>, call: Call): Promise<ToolResult> {
    const finishWork = async () => {
      const tool = this.find(name);
      if (!tool) throw new LoreError('unavailable', `Cannot finish "${name}": its service has been stopped`);
      return finish(tool, await work(call));
    };
    const recorded = () => this.#recorder.finish({ name, tool: this.find(name), call }, finishWork);
    return this.#guard(name, call, recorded, () => true);
  }

  #logCall(what: string, call: Call, started: number, outcome: string): void {
    if (!this.#log.wants('info')) return;
    const ms = Math.round((performance.now() - started) * 1000) / 1000;
    this.#log.info('call', { what, caller: call.caller.id, outcome, ms });
  }

  #healthy(): Service[] {
    return [...this.#running.values()].filter(({ isStarted }) => isStarted).map(({ service }) => service);
  }

  /** By name, so that the order a client sees never depends on the order of registration. */
  #index(): Map<string, { tool: Tool; serviceId: string }> {
    if (this.#tools) return this.#tools;
    const found = new Map<string, { tool: Tool; serviceId: string }>();
    for (const service of this.#healthy()) {
      for (const tool of service.tools?.() ?? []) {
        const other = found.get(tool.name);
        if (other) this.#log.error('tool_conflict', { tool: tool.name, kept: other.serviceId, dropped: service.id });
        else found.set(tool.name, { tool, serviceId: service.id });
      }
    }
    this.#tools = new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
    return this.#tools;
  }

  #announceLists(service: Service): void {
    if (service.tools) this.#announce({ list: 'tools' });
    if (service.resources || service.templates) this.#announce({ list: 'resources' });
    if (service.prompts) this.#announce({ list: 'prompts' });
  }

  #announce(change: Change): void {
    if ('list' in change) {
      this.#tools = undefined;
      this.generation++;
    }
    for (const listener of this.#listeners) listener(change);
  }
}

/** The failure is reported even if an adviser throws, rejects or never answers. */
async function findAdvice(error: LoreError, call: Call, advisers: readonly Adviser[]): Promise<LoreError> {
  const late = new Promise<readonly Advice[]>((resolve) => setTimeout(resolve, adviceMs, []).unref());
  const ask = async (advise: Adviser) => advise(error, call);
  const asked = advisers.map((advise) => Promise.race([ask(advise).catch(() => []), late]));
  const advice = (await Promise.all(asked)).flat();
  if (advice.length === 0) return error;
  const { word, message, hint, details, cause } = error;
  return new LoreError(word, message, {
    ...(hint !== undefined && { hint }),
    ...(details && { details }),
    advice,
    cause,
  });
}

function finish(tool: Tool, value: unknown): ToolResult {
  const rendered = tool.render ? tool.render(value) : typeof value === 'string' ? value : writeJson(value);
  const content = typeof rendered === 'string' ? [text(rendered)] : rendered;
  if (!tool.output) return redactResult({ content });
  const issues: { path: string; expected: string; received: string }[] = [];
  const structured = tool.output.read(value, 'result', issues);
  const first = issues[0];
  if (first) throw new Error(`${tool.name} broke its output schema: ${first.path} should be ${first.expected}`);
  return redactResult({ content, structured });
}

/** Redacted before it is written: an escape may hide from a rule what it looks for. */
function writeJson(value: unknown): string {
  return JSON.stringify(redactDeep(value), null, 2);
}

/** A time-out ends the call like a cancellation does, so that the tool's own code hears of it too. */
function withDeadline<T>(work: Promise<T>, ms: number, call: Call, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const { signal } = call;
    let timer = setTimeout(expire, ms);
    function expire(): void {
      if (call.waiting) {
        timer = setTimeout(expire, ms);
        return;
      }
      const hint = 'Ask for less at once, or raise the setting call_timeout_ms.';
      call.cancel(new LoreError('timeout', `Cannot finish "${name}": it took longer than ${ms} ms`, { hint }));
    }
    const leave = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    const onAbort = () => {
      leave();
      reject(signal.reason);
    };
    // Whoever has left hears no more of it, however it ends.
    work.then(resolve, reject).finally(leave);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort);
  });
}
