// The usage of a command: its arguments, written as in the help and checked before the command runs. `<file>` is required,
// `[file]` is not, `…` takes several, a bare word stands for itself, and ` | ` separates forms; all of them may be optional: `[list | show]`.
import type { Command } from '../core/command.ts';
import { LoreError } from '../core/error.ts';
import { didYouMean } from '../core/text/similar-names.ts';

interface UsageForm {
  text: string;
  verb?: string;
  /** As written, with brackets. */
  slots: readonly string[];
}

export function usageForms({ usage = '' }: Pick<Command, 'usage'>): UsageForm[] {
  const { text } = readUsage(usage);
  return splitForms(text).map((form) => {
    const parts = form.match(/<[^>]*>|\[[^\]]*\]|\S+/g) ?? [];
    const [verb, ...rest] = parts;
    return verb !== undefined && /^\w/.test(verb) ? { text: form, verb, slots: rest } : { text: form, slots: parts };
  });
}

/** One line for each form, for the help. */
export function usageLines(command: Pick<Command, 'name' | 'usage'>): string[] {
  const { text, isOptional } = readUsage(command.usage ?? '');
  const forms = isOptional ? ['', ...splitForms(text)] : splitForms(text);
  return forms.map((form) => ['lore', command.name, form, '[options]'].filter(Boolean).join(' '));
}

export function usageError(command: Pick<Command, 'name' | 'usage'>, message: string, hint?: string): LoreError {
  const lines = usageLines(command);
  const usage = lines.length > 4 ? `See lore help ${command.name}` : `Usage: ${lines.join('\n       ')}`;
  return new LoreError('invalid_input', message, { hint: hint === undefined ? usage : `${hint}\n${usage}` });
}

export function checkWords(command: Command, words: readonly string[]): void {
  const forms = usageForms(command);
  const verbs = forms.flatMap(({ verb }) => verb ?? []);
  const [first] = words;
  if (first === undefined && readUsage(command.usage ?? '').isOptional) return;
  if (verbs.length > 0 && first === undefined)
    throw usageError(command, `Missing argument: expected ${listWords(verbs)}`);
  const form = forms.find(({ verb }) => verb === first) ?? forms.find(({ verb }) => verb === undefined);
  if (!form) throw usageError(command, `Unknown argument ${JSON.stringify(first)}`, didYouMean(String(first), verbs));
  const rest = form.verb === undefined ? words : words.slice(1);
  const required = form.slots.filter((slot) => slot.startsWith('<'));
  if (rest.length < required.length) throw usageError(command, `Missing argument ${required[rest.length]}`);
  const isOpen = form.slots.some((slot) => slot.includes('…'));
  if (rest.length > form.slots.length && !isOpen) {
    throw usageError(command, `Unexpected argument ${JSON.stringify(rest[form.slots.length])}`);
  }
}

function readUsage(usage: string): { text: string; isOptional: boolean } {
  const isOptional = /^\[.* \| .*\]$/.test(usage);
  return { text: isOptional ? usage.slice(1, -1) : usage, isOptional };
}

function splitForms(text: string): string[] {
  return text.split(/ \| (?![^<]*>)/);
}

export function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
