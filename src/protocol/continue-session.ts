// Continues a session that began on another server, from the state that this one recorded.
import type { Caller } from '../core/call.ts';
import type { Link } from './link.ts';
import type { Protocol } from './protocol.ts';
import type { Session, SessionState } from './session.ts';

/** Resources that can no longer be subscribed to are omitted. */
export async function continueSession(
  protocol: Protocol,
  session: Session,
  { uris, ...state }: SessionState,
  caller: Caller,
): Promise<void> {
  Object.assign(session, state, { initialized: true });
  protocol.hub.join(session);
  const link: Link = { caller, session, send: () => {} };
  for (const [at, uri] of uris.entries()) {
    const request = { jsonrpc: '2.0', id: `continue-${at}`, method: 'resources/subscribe', params: { uri } };
    await protocol.receive(JSON.stringify(request), link);
  }
}
