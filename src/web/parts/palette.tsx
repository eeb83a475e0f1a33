// The command palette: every view and action by its name, with its key.
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { go, link } from '../core/route.ts';
import { theme } from '../core/theme.ts';
import { views } from '../views/index.ts';
import { add } from '../views/memory-actions.ts';
import { undoLast } from './toast.tsx';

interface PaletteCommand {
  name: string;
  keys: string;
  run(): void;
}

const isOpen = signal(false);

export function showPalette(): void {
  isOpen.value = true;
}

function list(): PaletteCommand[] {
  return [
    ...views.map(({ id, title, key }) => ({ name: `Go to ${title}`, keys: `g ${key}`, run: () => go(link(id)) })),
    { name: 'Add a memory', keys: 'n', run: () => void add() },
    { name: 'Undo', keys: 'u', run: undoLast },
    { name: 'Search', keys: '/', run: () => document.querySelector<HTMLInputElement>('input[type=search]')?.focus() },
    {
      name: 'Switch between light and dark',
      keys: '',
      run: () => {
        const isDark =
          theme.value === 'dark' || (theme.value === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
        theme.value = isDark ? 'light' : 'dark';
      },
    },
    { name: 'Next and previous row', keys: 'j k', run: () => {} },
    { name: 'Select a row', keys: 'x', run: () => {} },
    { name: 'Edit, supersede, forget', keys: 'e s #', run: () => {} },
  ];
}

export function Palette() {
  return isOpen.value ? <OpenPalette /> : null;
}

function OpenPalette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const opener = useRef(document.activeElement as HTMLElement | null);
  useEffect(() => dialog.current?.showModal(), []);
  const words = text.toLowerCase().split(/\s+/);
  const found = list().filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  const chosen = found[Math.min(at, found.length - 1)];
  const end = (command?: PaletteCommand) => {
    isOpen.value = false;
    opener.current?.focus();
    command?.run();
  };
  const move = (step: number) => setAt(Math.max(0, Math.min(found.length - 1, at + step)));
  return (
    <dialog ref={dialog} class="palette" aria-label="Commands" onCancel={() => end()}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={chosen && `command-${found.indexOf(chosen)}`}
        aria-label="Command"
        placeholder="Type a command"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') move(1);
          else if (event.key === 'ArrowUp') move(-1);
          else if (event.key === 'Enter') end(chosen);
          else return;
          event.preventDefault();
        }}
      />
      <div id="commands" role="listbox" aria-label="Commands">
        {found.map((command, index) => (
          // biome-ignore lint/a11y: the combobox above has the keyboard.
          <div
            key={command.name}
            id={`command-${index}`}
            role="option"
            aria-selected={command === chosen}
            onClick={() => end(command)}
          >
            <span>{command.name}</span>
            <kbd>{command.keys}</kbd>
          </div>
        ))}
      </div>
    </dialog>
  );
}
