// The caller of an HTTP request. It names its folder in a header or in the URL; the default is the folder of the server. Every
// request is checked before it is routed.
import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { App } from '../app.ts';
import { type Caller, type CallerScope, localCaller } from '../core/call.ts';
import type { LoreError } from '../core/error.ts';
import { missingScope } from '../core/registry/permission.ts';

type Request = Pick<IncomingMessage, 'headers' | 'url'>;

const projectHeader = 'lore-project';
const admitted = new WeakMap<Request, Caller>();

/** The headers that ask a client for a token with a further scope. */
type StepUp = (scope: CallerScope) => Record<string, string>;

/** What a token says. */
interface Identified {
  caller: Caller;
  stepUp: StepUp;
  /** By the clock of the day. */
  expiresAt: number;
}

const identified = new WeakMap<Request, Identified>();

/** The caller that a token names, from now on. */
export function identifyCaller(request: Request, named: Identified): void {
  identified.set(request, named);
}

/** Node's timers end at once if they are longer. */
const longestMs = 2 ** 31 - 1;

/** Ends a connection that stays open when the token that opened it expires: its client has to return with another. */
export function endWithToken(request: Request, connection: Pick<EventEmitter, 'on'>, end: () => void): void {
  const leftMs = (identified.get(request)?.expiresAt ?? Number.POSITIVE_INFINITY) - Date.now();
  if (leftMs > longestMs) return;
  const timer = setTimeout(end, leftMs).unref();
  connection.on('close', () => clearTimeout(timer));
}

/** For a call that was refused because the caller's token lacks a scope; undefined for any other refusal. */
export function stepUpHeaders(
  request: Request,
  { details }: Pick<LoreError, 'details'>,
): ReturnType<StepUp> | undefined {
  const scope = details?.[missingScope];
  return scope === undefined ? undefined : identified.get(request)?.stepUp(scope as CallerScope);
}

/** Refuses a folder that is not granted, and audits the refusal. Most requests name none and need not wait. */
export function admitCaller(app: App, request: Request): Promise<void> | undefined {
  const folder = readFolder(request);
  if (folder === undefined) return undefined;
  return admit(app, folder, request);
}

async function admit(app: App, folder: string, request: Request): Promise<void> {
  await app.load();
  const own = ownCaller(request);
  try {
    admitted.set(request, await enter(app, own, folder));
  } catch (error) {
    await app.registry.turnAway(projectHeader, { folder }, own, error);
  }
}

async function enter({ folders }: App, own: Caller, named: string): Promise<Caller> {
  // A person on another machine names a project; its folders are not here.
  if (own.identity) return folders.visit(own, named, 'write');
  // The caller works in this folder from now on, so its files must be readable.
  return (await folders.admit(own, named, 'files')).caller;
}

export function callerOf(request: Request): Caller {
  const caller = admitted.get(request);
  if (caller === undefined && readFolder(request) !== undefined) throw new Error('the request was not admitted');
  return caller ?? ownCaller(request);
}

/** Whose data the request is about; undefined if the server has one tenant. */
export function tenantOf(request: Request): string | undefined {
  return ownCaller(request).identity?.tenant;
}

function ownCaller(request: Request): Caller {
  return identified.get(request)?.caller ?? localCaller;
}

function readFolder({ headers, url = '' }: Request): string | undefined {
  const named = headers[projectHeader];
  if (typeof named === 'string') return decodeHeader(named);
  const query = url.indexOf('?');
  return query < 0 ? undefined : (new URLSearchParams(url.slice(query + 1)).get('project') ?? undefined);
}

/** Node decodes headers as Latin-1, but folder names are sent in UTF-8. */
function decodeHeader(value: string): string {
  const text = Buffer.from(value, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? value : text;
}
