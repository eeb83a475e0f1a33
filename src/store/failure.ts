// Translates database errors: the original texts mean nothing to a model and may reveal too much.
import { type ErrorWord, LoreError } from '../core/error.ts';

export interface FailureText {
  word: ErrorWord;
  state: string;
  hint: string;
}

export function toFailure({ word, state, hint }: FailureText, where: string, cause: unknown): LoreError {
  return new LoreError(word, `Cannot use database "${where}": ${state}`, { hint, cause });
}

export const held: FailureText = {
  word: 'unavailable',
  state: 'another process holds it',
  hint: 'Try again when that process has finished.',
};

export const closed: FailureText = { word: 'unavailable', state: 'it has been closed', hint: 'Start again.' };
