// The theme: that of the system, unless the person chose one.
import { effect, signal } from '@preact/signals';

export const themes = ['system', 'light', 'dark'] as const;

type Theme = (typeof themes)[number];

const key = 'lore-theme';

export const theme = signal<Theme>('system');

export function startTheme(): void {
  const stored = localStorage.getItem(key) as Theme | null;
  if (stored && themes.includes(stored)) theme.value = stored;
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    localStorage.setItem(key, theme.value);
  });
}
