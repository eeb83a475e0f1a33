// The context that all memory tools share: the caller's scope, and notifications of changes.
import { type Call, nameCaller } from '../../core/call.ts';
import type { Host } from '../../core/service.ts';
import { estimateTokens } from '../../core/text/budget-estimate.ts';
import type { Folders } from '../../graph/project/grant.ts';
import { openUser, type Scope } from '../../graph/project/scope.ts';
import type { Use, UseAction } from '../../graph/usage.ts';

/** Returned by a search, or added to a prompt. */
type MemoryUse = 'recalled' | 'injected';

export interface MemoryContext {
  /** The caller's project, or with `user` the memories about the user. */
  open(call: Pick<Call, 'caller'>, options?: { user?: boolean | undefined }): Promise<Scope>;
  /** The project of a folder that the caller names, for writing. */
  enter(call: Pick<Call, 'caller'>, folder: string): Promise<Scope>;
  /** A project by its name, id or folder, for writing. */
  visit(call: Pick<Call, 'caller'>, project: string): Promise<Scope>;
  /** Memories were added, removed or changed. */
  changed(...ids: readonly string[]): void;
  /** Memories were returned to a caller. Those that a person looks at are not used. */
  used(
    call: Pick<Call, 'caller'>,
    scope: Scope,
    given: readonly { id: string; text: string }[],
    action: MemoryUse,
  ): void;
  start(host: Host): void;
  /** Writes pending uses. */
  stop(): Promise<void>;
}

/** Uses are written in batches. */
const noteEveryMs = 2_000;

/** `entered` is called with each scope that a caller works in. */
export function createMemoryContext(folders: Folders, entered: (scope: Scope) => void = () => {}): MemoryContext {
  let host: Host | undefined;
  const used = new Map<Scope['opened'], { ids: Set<string>; uses: Map<string, Use> }>();
  let timer: NodeJS.Timeout | undefined;

  async function noteUses(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const noted = [...used];
    used.clear();
    for (const [opened, { ids, uses }] of noted) {
      // If it fails, some uses are not counted.
      const { addUses } = await import('../../graph/usage.ts');
      await opened.graph.touch([...ids]).catch(() => {});
      await addUses(opened, [...uses.values()]).catch(() => {});
    }
  }

  return {
    async open({ caller }, { user = false } = {}) {
      const scope = await folders.open(caller);
      entered(scope);
      return user ? openUser(scope) : scope;
    },
    enter: ({ caller }, folder) => folders.enter(caller, folder, 'write'),
    visit: async ({ caller }, project) => folders.open(await folders.visit(caller, project, 'write')),
    changed(...ids) {
      host?.updated('lore://project');
      host?.updated('lore://recent');
      for (const id of ids) host?.updated(`lore://memory/${id}`);
    },
    used({ caller }, { opened, project: { id: project } }, given, action) {
      if (given.length === 0 || caller.scopes.includes('person')) return;
      const pending = used.get(opened) ?? { ids: new Set(), uses: new Map() };
      used.set(opened, pending);
      for (const { id } of given) pending.ids.add(id);
      const actor = nameCaller(caller);
      const add = (use: UseAction, more: number) => {
        const key = JSON.stringify([project, actor, use]);
        const count = (pending.uses.get(key)?.count ?? 0) + more;
        pending.uses.set(key, { project, actor, action: use, count });
      };
      add(action, given.length);
      add(
        `${action}_tokens`,
        given.reduce((sum, { text }) => sum + estimateTokens(text), 0),
      );
      timer ??= setTimeout(noteUses, noteEveryMs).unref();
    },
    start(given) {
      host = given;
    },
    stop: noteUses,
  };
}
