// The search box of both shells. A question is part of the address; it is sent while it is typed.
import { useEffect, useRef, useState } from 'preact/hooks';
import { onKeys } from '../core/keys.ts';
import { filter, go, link, route } from '../core/route.ts';
import { findView } from './index.ts';

/** Time between a key and the call, so that a burst of keys is one call. */
const typingMs = 30;

export function Search() {
  const { view, params } = route.value;
  const box = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const [text, setText] = useState(params.q ?? '');
  useEffect(() => onKeys({ '/': () => box.current?.select() }), []);
  useEffect(() => {
    if (document.activeElement !== box.current) setText(params.q ?? '');
  }, [params.q]);
  const send = (value: string) => {
    clearTimeout(timer.current);
    const q = value.trim() || undefined;
    if (findView(view).isSearchable) filter({ q });
    else go(link('memories', '', { q }));
  };
  return (
    <search>
      <input
        ref={box}
        type="search"
        placeholder="Ask, or search by words or id"
        aria-label="Search"
        aria-keyshortcuts="/"
        value={text}
        onInput={(event) => {
          const { value } = event.currentTarget;
          setText(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => send(value), typingMs);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(event.currentTarget.value);
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      <kbd>/</kbd>
    </search>
  );
}
