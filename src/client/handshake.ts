// Agrees with a server on a revision: `server/discover` first, and `initialize` if the server does not know it or does not
// answer in time. The result is what a stored list needs to know about the server.
import { setTimeout as wait } from 'node:timers/promises';
import type { ClientAbility } from '../core/call.ts';
import { LoreError } from '../core/error.ts';
import { isObject } from '../core/schema.ts';
import { version } from '../core/version.ts';
import { code } from '../protocol/code.ts';
import type { Params } from '../protocol/message.ts';
import {
  isLegacyRevision,
  isModernRevision,
  metaKey,
  modernRevisions,
  newestLegacy,
  type Revision,
  tasksExtension,
} from '../protocol/revision.ts';
import { StatusFailure } from './http-wire.ts';
import type { ClientSession, RequestContext } from './session.ts';
import { UpstreamFailure, type Wire } from './wire.ts';

export interface ServerFacts {
  readonly revision: Revision;
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly instructions?: string;
  readonly capabilities: { readonly [capability: string]: unknown };
}

export type ServerEra = 'stateless' | 'session';

export function eraOf({ revision }: ServerFacts): ServerEra {
  return isModernRevision(revision) ? 'stateless' : 'session';
}

export interface HandshakeOptions {
  /** How the server answered before: the other way is not tried. */
  era?: ServerEra | undefined;
  /** For an answer to `server/discover`. Default: 1 s */
  discoverMs?: number;
  /** For an answer to `initialize`: some programs are downloaded when they start. Default: 60 s */
  initializeMs?: number;
}

const clientInfo = { name: 'lorekeeper', title: 'Lorekeeper', version };
const [modern] = modernRevisions;

const capabilityOf: Record<ClientAbility, Params> = {
  elicitation: { elicitation: { form: {} } },
  url: { elicitation: { url: {} } },
  sampling: { sampling: {} },
  roots: { roots: { listChanged: false } },
  tasks: { extensions: { [tasksExtension]: {} } },
};

function offer(abilities: readonly ClientAbility[]): Params {
  const { elicitation } = capabilityOf.elicitation;
  const both = { elicitation: { ...(elicitation as Params), url: {} } };
  const all = Object.assign({}, ...abilities.map((ability) => capabilityOf[ability]));
  return abilities.includes('elicitation') && abilities.includes('url') ? { ...all, ...both } : all;
}

/** Every request of the stateless revisions says who asks, and what it can be asked. */
function envelope({ can = [], log }: RequestContext): Params {
  return {
    [metaKey.version]: modern,
    [metaKey.clientInfo]: clientInfo,
    [metaKey.capabilities]: offer(can),
    ...(log && { [metaKey.logLevel]: 'info' }),
  };
}

export async function shakeHands(
  session: ClientSession,
  wire: Wire,
  { era, discoverMs = 1_000, initializeMs = 60_000 }: HandshakeOptions,
): Promise<ServerFacts> {
  if (era === 'session') return begin(session, wire, await initialize(session, wire, initializeMs));
  const giveUp = new AbortController();
  const discovering = discover(session, wire, AbortSignal.any([giveUp.signal, AbortSignal.timeout(initializeMs)]));
  discovering.catch(() => {});
  const isOld =
    era === undefined && (await Promise.race([discovering, wait(discoverMs, 'late', { ref: false })])) === 'late';
  if (!isOld) {
    const found = await discovering;
    if (found) return found;
  }
  const greeting = initialize(session, wire, initializeMs);
  // It may only be slow to start: then it answers the first greeting first, or refuses the second one.
  const found = await Promise.race([
    discovering,
    greeting.then(
      () => undefined,
      () => discovering,
    ),
  ]);
  if (!found) {
    giveUp.abort();
    return begin(session, wire, await greeting);
  }
  greeting.catch(() => {});
  speakModern(session, wire);
  return found;
}

function speakModern(session: ClientSession, wire: Wire): void {
  session.envelope = envelope;
  wire.agree(modern);
}

/** Undefined if the server is of an earlier revision. */
async function discover(session: ClientSession, wire: Wire, signal: AbortSignal): Promise<ServerFacts | undefined> {
  const ask = () => {
    speakModern(session, wire);
    return session.request('server/discover', {}, { signal });
  };
  try {
    const result = await ask().catch((error: unknown) => {
      // It refuses the revision, but names it: a proxy may have reached a server that is being replaced.
      if (refusedRevisions(error)?.includes(modern)) return ask();
      throw error;
    });
    const offered = Array.isArray(result.supportedVersions) ? result.supportedVersions : [];
    return offered.some(isModernRevision) ? describe(result, modern) : undefined;
  } catch (error) {
    // It is gone, or refuses us: another greeting would not help.
    if (error instanceof LoreError && !isUnknownMethod(error)) throw error;
    return undefined;
  }
}

/** The revisions that a server offers instead of the one it was asked in. */
function refusedRevisions(error: unknown): readonly unknown[] | undefined {
  if (!(error instanceof UpstreamFailure) || error.code !== code.unsupportedVersion || !isObject(error.data))
    return undefined;
  return Array.isArray(error.data.supported) ? error.data.supported : undefined;
}

/** How HTTP servers of earlier revisions answer a request without a session. */
function isUnknownMethod(error: LoreError): boolean {
  return error instanceof StatusFailure && [400, 404, 405, 406, 415, 422].includes(error.status);
}

function initialize(session: ClientSession, wire: Wire, timeoutMs: number): Promise<Params> {
  session.envelope = undefined;
  wire.agree(newestLegacy);
  const params = {
    protocolVersion: newestLegacy,
    // One process serves many clients, so the capabilities of all of them are declared.
    capabilities: offer(['elicitation', 'url', 'sampling', 'roots']),
    clientInfo,
  };
  const signal = AbortSignal.timeout(timeoutMs);
  return session.request('initialize', params, { signal }).catch(explain(timeoutMs));
}

/** In the revision that the server chose. */
function begin(session: ClientSession, wire: Wire, result: Params): ServerFacts {
  const { protocolVersion: revision } = result;
  if (!isLegacyRevision(revision))
    throw new LoreError(
      'unavailable',
      `Cannot use the server: it speaks the unknown revision ${JSON.stringify(revision)}`,
    );
  wire.agree(revision);
  session.notify('notifications/initialized');
  return describe(result, revision);
}

function explain(timeoutMs: number) {
  return (error: unknown): never => {
    if (error instanceof UpstreamFailure)
      throw new LoreError('unavailable', `Cannot use the server: it refused to initialize (${error.code})`, {
        cause: error,
      });
    if ((error as Error).name === 'TimeoutError')
      throw new LoreError('timeout', `Cannot use the server: it did not answer within ${timeoutMs} ms`);
    throw error;
  };
}

const longestText = 20_000;

function describe(result: Params, revision: Revision): ServerFacts {
  const meta = isObject(result._meta) ? result._meta[metaKey.serverInfo] : undefined;
  const info = isObject(result.serverInfo) ? result.serverInfo : isObject(meta) ? meta : {};
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, longestText) : undefined);
  const [title, instructions] = [text(info.title), text(result.instructions)];
  return {
    revision,
    name: text(info.name) ?? '',
    version: text(info.version) ?? '',
    ...(title !== undefined && { title }),
    ...(instructions !== undefined && { instructions }),
    capabilities: isObject(result.capabilities) ? result.capabilities : {},
  };
}
