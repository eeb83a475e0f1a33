// Keyboard shortcuts. The newest layer that knows a key handles it; keys typed into a field or a dialog are left alone.

export type Shortcuts = Readonly<Record<string, () => unknown>>;

const layers: Shortcuts[] = [];
let prefix = '';

/** Returns a function that removes them. */
export function onKeys(shortcuts: Shortcuts): () => void {
  layers.push(shortcuts);
  return () => void layers.splice(layers.indexOf(shortcuts), 1);
}

export function startKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || document.querySelector('dialog[open]')) return;
    const target = event.target as Element;
    const isTyping =
      /^(input|textarea|select)$/i.test(target.tagName) && (target as HTMLInputElement).type !== 'checkbox';
    const name = event.ctrlKey || event.metaKey ? `Ctrl+${event.key.toLowerCase()}` : event.key;
    if (isTyping && name !== 'Ctrl+k' && name !== 'Escape') return;
    // Enter and space on a control are its own.
    if (event.key === 'Enter' && target.closest('a, button')) return;
    const key = prefix === '' ? name : `${prefix} ${name}`;
    prefix = '';
    const handler = layers.findLast((layer) => Object.hasOwn(layer, key))?.[key];
    if (handler) {
      event.preventDefault();
      handler();
    } else if (name === 'g') prefix = 'g';
  });
}
