// The caller of an HTTP request. It names its folder in a header or in the URL; the default is the folder of the server. Every
// request is checked before it is routed.
import type { IncomingMessage } from 'node:http';
import type { App } from '../app.ts';
import { type Caller, localCaller } from '../core/call.ts';

type Request = Pick<IncomingMessage, 'headers' | 'url'>;

const projectHeader = 'lore-project';
const admitted = new WeakMap<Request, Caller>();

/** Refuses a folder that is not granted, and audits the refusal. Most requests name none and need not wait. */
export function admitCaller(app: App, request: Request): Promise<void> | undefined {
  const folder = readFolder(request);
  if (folder === undefined) return undefined;
  return admit(app, folder, request);
}

async function admit(app: App, folder: string, request: Request): Promise<void> {
  await app.load();
  try {
    // The caller works in this folder from now on, so its files must be readable.
    const { caller } = await app.folders.admit(localCaller, folder, 'files');
    admitted.set(request, caller);
  } catch (error) {
    await app.registry.turnAway(projectHeader, { folder }, localCaller, error);
  }
}

export function callerOf(request: Request): Caller {
  const caller = admitted.get(request);
  if (caller === undefined && readFolder(request) !== undefined) throw new Error('the request was not admitted');
  return caller ?? localCaller;
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
