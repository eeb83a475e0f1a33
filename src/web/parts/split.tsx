// A list beside the entry that is open, or instead of it where there is no room; and a list that the keyboard moves through.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { onKeys } from '../core/keys.ts';
import { go, link, route } from '../core/route.ts';
import type { PagesState } from '../core/use-tool.ts';
import { Failed, Loading } from './state.tsx';
import { VirtualList } from './virtual-list.tsx';

/** `children` is the entry; without one, the list has all the room. */
export function Split({ list, children }: { list: ComponentChildren; children?: ComponentChildren }) {
  const isOpen = Boolean(children);
  return (
    <div class={isOpen ? 'split open' : 'split'}>
      {list}
      {children}
    </div>
  );
}

/** The frame of the entry that is open. */
export function Detail({
  label,
  actions,
  children,
}: {
  label: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { view, params } = route.value;
  return (
    <article class="detail" aria-label={label}>
      <header class="head">
        <a class="back" href={link(view, '', params)}>
          ← <span class="narrow">Back</span>
          <span class="hidden">to the list</span>
        </a>
        <span class="gap" />
        {actions}
      </header>
      {children}
    </article>
  );
}

/** The row that the keyboard is at, or that is open. */
const active = signal<string | undefined>(undefined);

export function currentRow(): string | undefined {
  return route.value.id || active.value;
}

interface EntryListProps<T> {
  label: string;
  pages: PagesState<T>;
  rowRem: number;
  row(item: T): ComponentChildren;
  /** In front of the link, such as a checkbox. */
  mark?(item: T): ComponentChildren;
  /** Shown if there is none. */
  empty: ComponentChildren;
}

export function EntryList<T extends { id: string }>({ label, pages, rowRem, row, mark, empty }: EntryListProps<T>) {
  const { items, failure, isLoading } = pages;
  const { view, params } = route.value;
  // Keys may follow each other faster than the page is rendered.
  const latest = useRef(items);
  latest.current = items;
  useEffect(() => {
    active.value = undefined;
    return onKeys(createKeys(() => latest.current));
  }, []);
  return (
    <>
      {failure && <Failed failure={failure} />}
      {items.length === 0 && !failure && (isLoading ? <Loading /> : empty)}
      {items.length > 0 && (
        <VirtualList
          label={label}
          items={items}
          rowRem={rowRem}
          activeKey={currentRow()}
          onEnd={pages.more}
          row={(item) => (
            <>
              {mark?.(item)}
              <a id={`row-${item.id}`} href={link(view, item.id, params)}>
                {row(item)}
              </a>
            </>
          )}
        />
      )}
    </>
  );
}

function createKeys(items: () => readonly { id: string }[]) {
  const move = (step: number) => {
    const { view, id, params } = route.value;
    const shown = items();
    const at = shown.findIndex((item) => item.id === currentRow());
    const next = shown[Math.max(0, Math.min(shown.length - 1, at + step))];
    if (!next) return;
    active.value = next.id;
    if (id !== '') go(link(view, next.id, params), { replace: true });
    else requestAnimationFrame(() => document.getElementById(`row-${next.id}`)?.focus());
  };
  return {
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter() {
      const { view, id, params } = route.value;
      if (id === '' && active.value !== undefined) go(link(view, active.value, params));
    },
    Escape() {
      const { view, id, params } = route.value;
      if (id !== '') go(link(view, '', params));
    },
  };
}
