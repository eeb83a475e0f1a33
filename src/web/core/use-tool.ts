// The result of a tool as the state of a view. While it is read again, the earlier result stays visible; a change of an entry
// reads it again. Cursors are followed on demand, and pages are appended.
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Arguments, CallFailure, call, subscribe } from './port.ts';
import { project } from './route.ts';

export interface ToolState<T> {
  data: T | undefined;
  failure: CallFailure | undefined;
  isLoading: boolean;
  reload(): void;
}

/** Whether a changed URI concerns a view. */
export type Watch = (uri: string) => boolean;

const anything: Watch = () => true;

/** `args` undefined: nothing is called. */
export function useTool<T>(tool: string, args: Arguments | undefined, watch: Watch = anything): ToolState<T> {
  const [state, setState] = useState<{ data?: T; failure?: CallFailure; isLoading: boolean }>({ isLoading: true });
  const key = JSON.stringify([tool, args, project.value]);
  const running = useRef<AbortController | undefined>(undefined);
  const load = useCallback(() => {
    running.current?.abort();
    if (args === undefined) return setState({ isLoading: false });
    const control = new AbortController();
    running.current = control;
    setState((before) => ({ ...before, isLoading: true }));
    call<T>(tool, args, { signal: control.signal }).then(
      (data) => control.signal.aborted || setState({ data, isLoading: false }),
      (error: unknown) =>
        control.signal.aborted || setState((before) => ({ ...before, failure: toFailure(error), isLoading: false })),
    );
  }, [key]);
  useEffect(() => {
    load();
    return () => running.current?.abort();
  }, [load]);
  useChanges(watch, load);
  return { data: state.data, failure: state.failure, isLoading: state.isLoading, reload: load };
}

interface Paged {
  next_cursor?: string;
}

export interface PagesState<T> extends Omit<ToolState<T>, 'data'> {
  items: readonly T[];
  first: unknown;
  hasMore: boolean;
  more(): void;
}

/** A further page, and the ids that it ever had: a forgotten entry returns to it. */
interface FurtherPage<T> {
  cursor: string;
  items: readonly T[];
  next: string | undefined;
  ids: ReadonlySet<string>;
}

/**
 * A list with cursors. A change reads its first page again, and each further page that has a changed entry; the others stay, so
 * that a long list does not jump.
 */
export function usePages<P extends Paged, T extends { id: string }>(
  tool: string,
  args: Arguments,
  itemsOf: (page: P) => readonly T[],
  watch: Watch = anything,
): PagesState<T> {
  const first = useTool<P>(tool, args, watch);
  const key = JSON.stringify([tool, args, project.value]);
  const [rest, setRest] = useState<{ of: string; pages: readonly FurtherPage<T>[] }>({ of: key, pages: [] });
  const pending = useRef<string | undefined>(undefined);
  const further = rest.of === key ? rest.pages : [];
  const latest = useRef(further);
  latest.current = further;
  const next = further.length > 0 ? further.at(-1)?.next : first.data?.next_cursor;
  const items = useMemo(() => {
    const all = new Map<string, T>();
    for (const page of [first.data ? itemsOf(first.data) : [], ...further.map((one) => one.items)]) {
      for (const item of page) if (!all.has(item.id)) all.set(item.id, item);
    }
    return [...all.values()];
  }, [first.data, further]);
  const read = async (cursor: string, before?: FurtherPage<T>): Promise<FurtherPage<T>> => {
    const page = await call<P>(tool, { ...args, cursor });
    const found = itemsOf(page);
    return {
      cursor,
      items: found,
      next: page.next_cursor,
      ids: new Set([...(before?.ids ?? []), ...found.map(({ id }) => id)]),
    };
  };
  useEffect(
    () =>
      subscribe((uris) => {
        const changed = uris.map((uri) => uri.slice(uri.lastIndexOf('/') + 1));
        for (const page of latest.current) {
          if (!changed.some((id) => page.ids.has(id))) continue;
          // A page that cannot be read stays as it is; the first one reports the failure.
          read(page.cursor, page).then(
            (renewed) =>
              setRest(({ of, pages }) => ({
                of,
                pages: of === key ? pages.map((one) => (one === page ? renewed : one)) : pages,
              })),
            () => {},
          );
        }
      }),
    [key],
  );
  const more = () => {
    if (next === undefined || pending.current === next) return;
    pending.current = next;
    read(next).then(
      (page) => setRest(({ of, pages }) => ({ of: key, pages: [...(of === key ? pages : []), page] })),
      () => {
        pending.current = undefined;
      },
    );
  };
  return {
    items,
    first: first.data,
    failure: first.failure,
    isLoading: first.isLoading,
    reload: first.reload,
    hasMore: next !== undefined,
    more,
  };
}

function useChanges(watch: Watch, listener: () => void): void {
  const latest = useRef({ watch, listener });
  latest.current = { watch, listener };
  useEffect(
    () =>
      subscribe((uris) => {
        if (uris.some((uri) => uri === '*' || latest.current.watch(uri))) latest.current.listener();
      }),
    [],
  );
}

export function toFailure(error: unknown): CallFailure {
  return error instanceof CallFailure ? error : new CallFailure('internal', String(error));
}
