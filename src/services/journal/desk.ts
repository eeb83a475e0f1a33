// What all tools of the journal share: the caller's part of the graph, or the one a path names, and the host to tell of
// changes.
import type { Call } from '../../core/call.ts';
import type { Host, ListKind } from '../../core/service.ts';
import type { GraphAccess } from '../../graph/access.ts';
import { openScope, type Scope } from '../../graph/scope.ts';

export interface Desk {
  /** The project of the folder that is named, else the caller's own. */
  open(call: Pick<Call, 'caller'>, folder?: string): Promise<Scope>;
  /** What stands behind these addresses has changed. */
  updated(...uris: readonly string[]): void;
  listChanged(kind: ListKind): void;
  start(host: Host): void;
}

export function createDesk(access: GraphAccess): Desk {
  let host: Host | undefined;
  return {
    open: ({ caller }, folder) => openScope(access, folder === undefined ? caller : { ...caller, folder }),
    updated(...uris) {
      for (const uri of uris) host?.updated(uri);
    },
    listChanged: (kind) => host?.changed(kind),
    start(given) {
      host = given;
    },
  };
}
