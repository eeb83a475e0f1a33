// The eight error words. Code anywhere throws a LoreError; each edge (protocol, HTTP, command line) translates the word with
// its own exhaustive table, so a new word does not compile until every edge handles it.
import { createId } from './id.ts';

export const errorWords = [
  'invalid_input',
  'not_found',
  'conflict',
  'forbidden',
  'limit_exceeded',
  'timeout',
  'unavailable',
  'internal',
] as const;

export type ErrorWord = (typeof errorWords)[number];

interface ErrorDetails {
  path?: string;
  expected?: string;
  received?: string;
  [fact: string]: unknown;
}

/** A known fix for an error. */
export interface Advice {
  id: string;
  text: string;
}

interface ErrorOptions {
  /** What to do next, in one sentence. */
  hint?: string;
  details?: ErrorDetails;
  advice?: readonly Advice[];
  cause?: unknown;
}

export class LoreError extends Error {
  override readonly name = 'LoreError';
  readonly word: ErrorWord;
  readonly hint: string | undefined;
  readonly details: ErrorDetails | undefined;
  readonly advice: readonly Advice[];

  /** The message reads: action, quoted value, colon, state. `Cannot read memory "m7": it does not exist`. */
  constructor(word: ErrorWord, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.word = word;
    this.hint = options.hint;
    this.details = options.details;
    this.advice = options.advice ?? [];
  }
}

/**
 * The only way for third-party errors: their text may contain secrets or mislead a model, so it is replaced by an id under
 * which the log has the original.
 */
export function toLoreError(error: unknown, action: string): LoreError {
  if (error instanceof LoreError) return error;
  const id = createId('err');
  return new LoreError('internal', `Cannot ${action}: an internal error occurred`, {
    hint: `The server's log has the cause under ${id}.`,
    details: { id },
    cause: error,
  });
}
