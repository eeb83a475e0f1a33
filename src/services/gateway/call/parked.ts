// Calls that wait for an answer of the user. A client without a session gets the questions of a server as a result and repeats its
// call with the answers; meanwhile the server's own call stays open here, and the repeated one continues it.
import {
  type AnswersTo,
  type Call,
  type ClientAbility,
  type ClientAnswer,
  InputRequired,
  type QuestionKind,
  type Questions,
} from '../../../core/call.ts';
import type { UpstreamRequest } from '../life/upstreams.ts';

const kinds: readonly QuestionKind[] = ['elicitation', 'url', 'sampling', 'roots'];
const longestMs = 10 * 60_000;
const mostParked = 1_000;
/** Keys that the call itself may use for questions, such as the permission to run. */
const prefix = 'server_';

interface RequestFacts extends Pick<UpstreamRequest, 'schema' | 'isRepeatable'> {
  /** The server may answer with a task. */
  followsTasks?: boolean;
}

interface OpenQuestion {
  questions: Questions;
  resolve(answers: { readonly [key: string]: ClientAnswer }): void;
}

interface ParkedCall {
  result: Promise<unknown>;
  controller: AbortController;
  /** The request that is served now. */
  call: Call;
  open: OpenQuestion | undefined;
  /** The questions have to be asked by a result. */
  interrupt(signal: InputRequired): void;
  timer?: NodeJS.Timeout;
}

export class ParkedCalls {
  readonly #parked = new Map<string, ParkedCall[]>();

  /** `key` identifies equal calls of one caller. */
  run<T>(
    key: () => string,
    call: Call,
    facts: RequestFacts,
    send: (context: UpstreamRequest) => Promise<T>,
  ): Promise<T> {
    const can = kinds.filter((kind) => call.can(kind));
    if (!call.isRepeated || can.length === 0) return send(new CallContext({ call }, call.signal, can, facts));
    return this.#runParked(key(), call, (parked) =>
      send(new CallContext(parked, parked.controller.signal, can, facts)),
    ) as Promise<T>;
  }

  async #runParked(key: string, call: Call, send: (parked: ParkedCall) => Promise<unknown>): Promise<unknown> {
    for (const parked of this.#parked.get(key) ?? []) {
      const answers = await answersOf(parked, call);
      if (answers) return this.#resume(key, parked, call, answers);
    }
    const controller = new AbortController();
    const parked: ParkedCall = { controller, call, open: undefined, interrupt: () => {}, result: Promise.resolve() };
    parked.result = send(parked);
    return this.#follow(key, parked);
  }

  #resume(
    key: string,
    parked: ParkedCall,
    call: Call,
    answers: { readonly [key: string]: ClientAnswer },
  ): Promise<unknown> {
    this.#remove(key, parked);
    parked.call = call;
    const { open } = parked;
    parked.open = undefined;
    open?.resolve(answers);
    return this.#follow(key, parked);
  }

  /** Until the server answers, or asks something that this request cannot answer. */
  async #follow(key: string, parked: ParkedCall): Promise<unknown> {
    const { call } = parked;
    const interrupted = new Promise<never>((_, reject) => {
      parked.interrupt = reject;
    });
    const cancel = () => parked.controller.abort(call.signal.reason);
    if (call.signal.aborted) cancel();
    call.signal.addEventListener('abort', cancel, { once: true });
    try {
      return await Promise.race([parked.result, interrupted]);
    } catch (error) {
      if (error instanceof InputRequired && parked.open) this.#park(key, parked);
      throw error;
    } finally {
      call.signal.removeEventListener('abort', cancel);
    }
  }

  #park(key: string, parked: ParkedCall): void {
    const all = [...this.#parked.values()].flat();
    if (all.length >= mostParked) return parked.controller.abort(new Error('too many calls wait for an answer'));
    // Nobody else waits for it.
    parked.result.catch(() => {});
    parked.timer = setTimeout(() => {
      this.#remove(key, parked);
      parked.controller.abort(new Error('no answer came in time'));
    }, longestMs).unref();
    this.#parked.set(key, [...(this.#parked.get(key) ?? []), parked]);
  }

  #remove(key: string, parked: ParkedCall): void {
    clearTimeout(parked.timer);
    const left = (this.#parked.get(key) ?? []).filter((one) => one !== parked);
    if (left.length > 0) this.#parked.set(key, left);
    else this.#parked.delete(key);
  }
}

/** What the rest of a call that moved to the background may cause. */
export function contextOfTask(call: Call): UpstreamRequest {
  const can = kinds.filter((kind) => call.can(kind));
  return new CallContext({ call }, call.signal, can, { isRepeatable: true });
}

/** A call that is being served, parked or not. */
type ServedCall = { readonly call: Call } | ParkedCall;

/** Passes what a server sends meanwhile to the call that is served. A class, because every call needs one. */
class CallContext implements UpstreamRequest {
  readonly #served: ServedCall;
  readonly signal: AbortSignal;
  readonly can: readonly ClientAbility[];
  readonly client: object;
  readonly schema: UpstreamRequest['schema'];
  readonly isRepeatable: boolean;
  readonly progress: Call['progress'] | undefined;

  constructor(
    served: ServedCall,
    signal: AbortSignal,
    can: readonly QuestionKind[],
    { schema, isRepeatable = false, followsTasks = false }: RequestFacts,
  ) {
    const { call } = served;
    this.#served = served;
    this.signal = signal;
    this.can = followsTasks ? [...can, 'tasks'] : can;
    this.client = call.client ?? call;
    this.schema = schema;
    this.isRepeatable = isRepeatable;
    // A server that is not asked for progress need not send it.
    this.progress =
      call.wantsProgress === false
        ? undefined
        : (done, total, message) => this.#served.call.progress(done, total, message);
  }

  log(...[level, data, logger]: Parameters<Call['log']>): void {
    this.#served.call.log(level, data, logger);
  }

  async ask(given: Questions): Promise<{ readonly [key: string]: ClientAnswer }> {
    const questions = rename(given, (key) => (key.startsWith(prefix) || key !== 'answer' ? key : `${prefix}${key}`));
    const answered = await ask(this.#served, questions);
    return rename(answered, (key) => (key.startsWith(prefix) ? key.slice(prefix.length) : key));
  }
}

async function ask(served: ServedCall, questions: Questions): Promise<{ readonly [key: string]: ClientAnswer }> {
  try {
    return await served.call.ask(questions);
  } catch (error) {
    if (!(error instanceof InputRequired && 'interrupt' in served)) throw error;
    return new Promise((resolve) => {
      served.open = { questions, resolve };
      served.interrupt(error);
    });
  }
}

/** Undefined if this request does not have them. */
async function answersOf({ open }: ParkedCall, call: Call): Promise<AnswersTo<Questions> | undefined> {
  if (!open) return undefined;
  try {
    return await call.ask(open.questions);
  } catch (error) {
    if (error instanceof InputRequired) return undefined;
    throw error;
  }
}

function rename<T>(values: { readonly [key: string]: T }, change: (key: string) => string): { [key: string]: T } {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [change(key), value]));
}
