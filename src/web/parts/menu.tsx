// Further actions behind one button. It is a popover, which the browser closes on Escape and on a click elsewhere.
import { useId, useRef } from 'preact/hooks';

interface MenuProps {
  label: string;
  actions: readonly (readonly [name: string, act: () => unknown])[];
}

export function Menu({ label, actions }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  return (
    <span class="menu-anchor">
      <button type="button" aria-label={label} title={label} popovertarget={id} aria-haspopup="true">
        ⋯
      </button>
      <div ref={list} id={id} popover="auto" class="menu-list">
        {actions.map(([name, act]) => (
          <button
            key={name}
            type="button"
            class={name.startsWith('Delete') ? 'danger' : ''}
            onClick={() => {
              list.current?.hidePopover();
              act();
            }}
          >
            {name}
          </button>
        ))}
      </div>
    </span>
  );
}
