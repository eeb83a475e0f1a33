// A list that renders only the rows in sight, so that ten thousand rows scroll like ten. Rows have one height, in rem. The
// active row is moved with j and k or the arrows, and has the focus.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualListProps<T> {
  label: string;
  items: readonly T[];
  rowRem: number;
  row(item: T): ComponentChildren;
  activeKey?: string | undefined;
  /** Called when the end comes into sight. */
  onEnd?(): void;
}

/** Rows beyond the edge that are rendered already. */
const spare = 8;

export function VirtualList<T extends { id: string }>({
  label,
  items,
  rowRem,
  row,
  activeKey,
  onEnd,
}: VirtualListProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  const [window, setWindow] = useState({ top: 0, height: 800 });
  const rowHeight = rowRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const first = Math.max(0, Math.floor(window.top / rowHeight) - spare);
  const last = Math.min(items.length, Math.ceil((window.top + window.height) / rowHeight) + spare);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setWindow({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);

  useEffect(() => {
    if (last >= items.length - spare) onEnd?.();
  }, [last, items.length]);

  const active = activeKey === undefined ? -1 : items.findIndex(({ id }) => id === activeKey);
  useEffect(() => {
    const element = box.current;
    if (active < 0 || !element) return;
    const [top, bottom] = [active * rowHeight, (active + 1) * rowHeight];
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
  }, [activeKey, active]);

  return (
    <div class="scroll" ref={box} tabIndex={-1}>
      <ul class="rows" aria-label={label} style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, at) => {
          const index = first + at;
          return (
            <li
              key={item.id}
              class={index === active ? 'row active' : 'row'}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}
            >
              {row(item)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
