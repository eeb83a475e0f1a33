// The folders of a client, from roots/list. The server asks once per session, when a call needs them; a client that does not
// answer has none.
import { fileURLToPath } from 'node:url';
import { askRoots, type ClientAnswer } from '../core/call.ts';
import { isObject } from '../core/schema.ts';
import type { Exchange } from './exchange.ts';
import type { Session } from './session.ts';

/** A program answers this without asking the user. */
const timeoutMs = 5_000;
const maxRoots = 100;

const known = new WeakMap<Session, Promise<readonly string[]>>();

export function readRoots(exchange: Exchange): Promise<readonly string[]> {
  const { stateless, method, link } = exchange;
  // Without a session each call asks again, and only tools can end a call and repeat it with the answer.
  if (stateless) return method === 'tools/call' ? askAgain(exchange) : Promise.resolve([]);
  if (!link.session || link.mute) return Promise.resolve([]);
  const asked = known.get(link.session) ?? askSession(link.session, (text) => link.send(text));
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

async function askSession(session: Session, send: (text: string) => void): Promise<string[]> {
  try {
    return listFolders(await session.ask(askRoots, send, AbortSignal.timeout(timeoutMs)));
  } catch {
    return [];
  }
}

function listFolders({ roots }: ClientAnswer): string[] {
  const all = Array.isArray(roots) ? roots.slice(0, maxRoots) : [];
  return all.flatMap((root) => {
    try {
      return isObject(root) && typeof root.uri === 'string' ? [fileURLToPath(root.uri)] : [];
    } catch {
      // Not a file on this machine.
      return [];
    }
  });
}
