// Who sends an HTTP request. One server serves clients in many folders: each names its own in a header, or in the address
// where it cannot set one; without either, it is taken to work where the server does.
import type { IncomingMessage } from 'node:http';
import { isAbsolute } from 'node:path';
import { type Caller, localCaller } from '../core/call.ts';

const projectHeader = 'lore-project';

export function callerOf({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): Caller {
  const folder = headers[projectHeader] ?? (url.includes('?') ? readQuery(url) : undefined);
  return typeof folder === 'string' && isAbsolute(folder) ? { ...localCaller, folder } : localCaller;
}

function readQuery(url: string): string | undefined {
  return new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('project') ?? undefined;
}
