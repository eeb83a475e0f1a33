// The folders of a client, from roots/list. The server asks once per session, when a call needs them; a client that does not
// answer has none.
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askRoots, type ClientAnswer } from '../core/call.ts';
import { isObject } from '../core/schema.ts';
import type { Exchange } from './exchange.ts';
import type { Session } from './session.ts';

/** A program answers this without asking the user. */
const usualTimeoutMs = 5_000;
const maxRoots = 100;
/** A client that did not answer is asked again after this time. */
const retryAfterMs = 60_000;
const repeatable = ['tools/call', 'resources/read', 'prompts/get'];

const known = new WeakMap<Session, Promise<readonly string[]>>();

export function readRoots(exchange: Exchange, timeoutMs = usualTimeoutMs): Promise<readonly string[]> {
  const { stateless, method, link } = exchange;
  // Without a session each request asks again, if its method can be repeated with the answer.
  if (stateless) return repeatable.includes(method) ? askAgain(exchange) : Promise.resolve([]);
  if (!link.session || link.mute) return Promise.resolve([]);
  const asked = known.get(link.session) ?? askSession(link.session, (text) => link.send(text), timeoutMs);
  known.set(link.session, asked);
  return asked;
}

/** They are requested again when they are needed again. */
export function forgetRoots(session: Session): void {
  known.delete(session);
}

async function askAgain(exchange: Exchange): Promise<string[]> {
  const { roots } = await exchange.ask({ roots: askRoots });
  return listFolders(roots);
}

async function askSession(session: Session, send: (text: string) => void, timeoutMs: number): Promise<string[]> {
  try {
    return listFolders(await session.ask(askRoots, send, AbortSignal.timeout(timeoutMs)));
  } catch {
    setTimeout(() => forgetRoots(session), retryAfterMs).unref();
    return [];
  }
}

function listFolders({ roots }: ClientAnswer): string[] {
  const all = Array.isArray(roots) ? roots.slice(0, maxRoots) : [];
  return all.flatMap((root) => {
    try {
      if (!isObject(root) || typeof root.uri !== 'string') return [];
      // Some clients send a path instead of a URL.
      return [isAbsolute(root.uri) ? root.uri : fileURLToPath(root.uri)];
    } catch {
      // Not a file on this machine.
      return [];
    }
  });
}
