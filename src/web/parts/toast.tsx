// Short messages about what was done, with an undo. Screen readers announce them.
import { signal } from '@preact/signals';
import { toFailure } from '../core/use-tool.ts';

interface Toast {
  id: number;
  text: string;
  isFailure?: boolean;
  undo?: () => Promise<unknown>;
}

const shownMs = 10_000;
const toasts = signal<readonly Toast[]>([]);
let last = 0;
let report: (text: string) => void = () => {};

/** Called with what the person has done. */
export function onDone(listener: (text: string) => void): void {
  report = listener;
}

function show(toast: Omit<Toast, 'id'>): void {
  const id = ++last;
  toasts.value = [...toasts.value.slice(-2), { ...toast, id }];
  setTimeout(() => dismiss(id), shownMs);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** Does something and reports the outcome; without words, only a failure. Returns whether it was done. */
export async function perform(
  done: string | undefined,
  work: () => Promise<unknown>,
  undo?: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await work();
    if (done === undefined) return true;
    report(done);
    show(undo ? { text: done, undo } : { text: done });
    return true;
  } catch (error) {
    const { message, hint } = toFailure(error);
    show({ text: hint === undefined ? message : `${message}. ${hint}`, isFailure: true });
    return false;
  }
}

/** The newest undo, for the keyboard. */
export function undoLast(): void {
  const toast = toasts.value.findLast(({ undo }) => undo !== undefined);
  if (toast) revert(toast);
}

function revert({ id, undo }: Toast): void {
  dismiss(id);
  if (undo) void perform('Undone.', undo);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <div key={toast.id} class={toast.isFailure ? 'toast failed' : 'toast'}>
          <span>{toast.text}</span>
          {toast.undo && (
            <button type="button" onClick={() => revert(toast)}>
              Undo
            </button>
          )}
          <button type="button" aria-label="Dismiss" onClick={() => dismiss(toast.id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
