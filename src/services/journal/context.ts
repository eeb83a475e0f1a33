// The context that all journal tools share: the caller's scope or that of a folder it names, and notifications of changes.
import type { Call, Caller } from '../../core/call.ts';
import type { Host, ListKind } from '../../core/service.ts';
import type { Folders, Need } from '../../graph/project/grant.ts';
import type { Scope } from '../../graph/project/scope.ts';

export interface JournalContext {
  /** The caller's own project, or that of a folder it names, with the access it needs. */
  open(call: Pick<Call, 'caller'>, folder?: string, need?: Need): Promise<Scope>;
  /** The caller in the folder of its own project, whose files it may read. */
  locate(call: Pick<Call, 'caller'>): Promise<Caller>;
  /** The content at these URIs has changed. */
  updated(...uris: readonly string[]): void;
  listChanged(kind: ListKind): void;
  start(host: Host): void;
}

export function createJournalContext(folders: Folders): JournalContext {
  let host: Host | undefined;
  return {
    open: ({ caller }, folder, need = 'read') =>
      folder === undefined ? folders.open(caller) : folders.enter(caller, folder, need),
    locate: ({ caller }) => folders.locate(caller),
    updated(...uris) {
      for (const uri of uris) host?.updated(uri);
    },
    listChanged: (kind) => host?.changed(kind),
    start(given) {
      host = given;
    },
  };
}
