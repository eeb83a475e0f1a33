// What a view shows instead of data: nothing yet, a failure with its hint, or how the data would come to be.
import type { ComponentChildren } from 'preact';
import type { ToolState } from '../core/use-tool.ts';

/** The indicator appears after 200 ms, by its style. */
export function Loading() {
  return (
    <div class="loading" role="status">
      Loading…
    </div>
  );
}

export function Failed({ failure }: { failure: { message: string; hint?: string | undefined } }) {
  return (
    <div class="notice failed" role="alert">
      <p>{failure.message}</p>
      {failure.hint !== undefined && <p class="dim">{failure.hint}</p>}
    </div>
  );
}

export function Empty({ title, children, command }: { title: string; children?: ComponentChildren; command?: string }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
      {command !== undefined && (
        <pre>
          <code>{command}</code>
        </pre>
      )}
    </div>
  );
}

/** The data of a tool, or why there is none. */
export function Shown<T>({
  state,
  children,
}: {
  state: Pick<ToolState<T>, 'data' | 'failure' | 'isLoading'>;
  children: (data: T) => ComponentChildren;
}) {
  if (state.data !== undefined) {
    return (
      <>
        {state.failure && <Failed failure={state.failure} />}
        {children(state.data)}
      </>
    );
  }
  if (state.failure) return <Failed failure={state.failure} />;
  return state.isLoading ? <Loading /> : null;
}
