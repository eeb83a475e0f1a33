// The registry's interface to the audit log, and what is recorded of a call: who did what, without secrets and truncated.
// Lines, chain and verification are in the neighbouring files; the store writes them to disk.
import { type Call, CapabilityMissing, InputRequired, MovedToBackground } from '../call.ts';
import { hashHex } from '../crypto.ts';
import { LoreError } from '../error.ts';
import { describeError, type Log } from '../log.ts';
import { cleanDeep, redactDeep } from '../secret/redact.ts';
import { runSoon } from '../steps.ts';
import type { Tool } from '../tool.ts';

/** The content of a line, without its position in the chain. */
export interface AuditEntry {
  /** Who called, and from which folder. */
  caller: string;
  folder: string;
  tool: string;
  /** `begun`, `ok`, `cancelled`, or the error's word. */
  outcome: string;
  ms?: number;
  /** As JSON, without secrets. */
  arguments?: string;
  /** Hash of all arguments, if they are too long to record. */
  digest?: string;
  /** The error message. */
  message?: string;
  /** Facts of the result that the tool records. */
  facts?: unknown;
}

export interface Audit {
  /** Resolves when it is on disk; fails with `unavailable`. */
  append(entry: AuditEntry): Promise<unknown>;
}

const maxArguments = 1_000;
const maxMessage = 500;
const maxFacts = 4_000;

/** What is called: a tool, or the name of a prompt or resource. */
interface Called {
  readonly name: string;
  readonly tool?: Pick<Tool, 'audited' | 'effect'> | undefined;
  readonly raw?: unknown;
  readonly call: Pick<Call, 'caller' | 'signal'>;
  readonly started: number;
}

/** Each returns a promise if there is something to write. */
export interface Recorder {
  /** Records the start of an audited change before it is made: a change that cannot be recorded is not made. */
  begin(called: Called): Promise<void> | undefined;
  /** Records that a call of an audited tool succeeded, with facts of what it returned. */
  end(called: Called, returned: unknown): Promise<void> | undefined;
  /** Records that it failed, or that a call of any other tool is forbidden. Never rejects: the caller gets its error in any case. */
  fail(called: Called, error: unknown): Promise<void> | undefined;
}

export function createRecorder(audit: Audit | undefined, log: Log): Recorder {
  if (!audit) return { begin: () => undefined, end: () => undefined, fail: () => undefined };

  async function append(called: Called, outcome: string, facts?: Pick<AuditEntry, 'ms' | 'message' | 'facts'>) {
    await audit?.append(await describeCall(called, outcome, facts));
  }

  return {
    begin(called) {
      if (!called.tool?.audited || called.tool.effect === 'read') return undefined;
      return append(called, 'begun').then(() => called.call.signal.throwIfAborted());
    },
    end(called, returned) {
      const audited = called.tool?.audited;
      if (!audited) return undefined;
      if (audited === true) return append(called, 'ok', { ms: elapsed(called) });
      const facts = audited(returned);
      return facts && append(called, 'ok', { ms: elapsed(called), facts });
    },
    fail(called, error) {
      const outcome = outcomeOf(error, called.call.signal);
      if (outcome === undefined || (outcome !== 'forbidden' && !called.tool?.audited)) return undefined;
      const message = error instanceof LoreError ? { message: error.message } : {};
      return append(called, outcome, { ms: elapsed(called), ...message }).catch((reason: unknown) =>
        log.error('audit_failed', describeError(reason)),
      );
    },
  };
}

function elapsed({ started }: Called): number {
  return Math.round(performance.now() - started);
}

/** Undefined if the call has not ended: the client is asked, or the work continues in the background. */
function outcomeOf(error: unknown, signal: AbortSignal): string | undefined {
  if (error instanceof LoreError) return error.word;
  if ([InputRequired, MovedToBackground, CapabilityMissing].some((kind) => error instanceof kind)) return undefined;
  return signal.aborted ? 'cancelled' : 'internal';
}

async function describeCall(
  { name, raw, call }: Called,
  outcome: string,
  { ms, message, facts }: Pick<AuditEntry, 'ms' | 'message' | 'facts'> = {},
): Promise<AuditEntry> {
  return {
    caller: cut(call.caller.id, maxMessage),
    folder: cut(call.caller.folder, maxMessage),
    tool: cut(name, maxMessage),
    outcome,
    ...(ms !== undefined && { ms }),
    ...(await describeArguments(raw)),
    ...(message !== undefined && { message: cut(redactDeep(message), maxMessage) }),
    ...(facts !== undefined && { facts: bound(facts) }),
  };
}

/** A call that is refused may have megabytes of them. */
async function describeArguments(raw: unknown): Promise<Pick<AuditEntry, 'arguments' | 'digest'>> {
  if (raw === undefined) return {};
  const text = JSON.stringify(await runSoon(cleanDeep(raw))) ?? '';
  if (text.length <= maxArguments) return { arguments: text };
  const digest = hashHex(text);
  return { arguments: cut(text, maxArguments), digest };
}

function bound(facts: unknown): unknown {
  const clean = redactDeep(facts);
  const text = JSON.stringify(clean) ?? '';
  return text.length <= maxFacts ? clean : cut(text, maxFacts);
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}
