// Who looks at the page: the person who opened the dashboard, or somebody inside a chat, whose calls are an agent's.
import { signal } from '@preact/signals';

/** Tools that only a person may call are offered. */
export const isPerson = signal(true);
