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

/** A list with cursors. */
export function usePages<P extends Paged, T>(
  tool: string,
  args: Arguments,
  itemsOf: (page: P) => readonly T[],
  watch: Watch = anything,
): PagesState<T> {
  const first = useTool<P>(tool, args, watch);
  const [rest, setRest] = useState<{ of: P | undefined; items: readonly T[]; next: string | undefined }>();
  const pending = useRef<string | undefined>(undefined);
  const isCurrent = rest !== undefined && rest.of === first.data;
  const next = isCurrent ? rest.next : first.data?.next_cursor;
  const items = useMemo(
    () => [...(first.data ? itemsOf(first.data) : []), ...(isCurrent ? rest.items : [])],
    [first.data, rest],
  );
  const more = () => {
    if (next === undefined || pending.current === next) return;
    pending.current = next;
    const of = first.data;
    const before = isCurrent ? rest.items : [];
    call<P>(tool, { ...args, cursor: next }).then(
      (page) => setRest({ of, items: [...before, ...itemsOf(page)], next: page.next_cursor }),
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
