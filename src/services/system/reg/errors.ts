// Errors that several kinds of settings have in common.
import { LoreError } from '../../../core/error.ts';

export function typeError(type: string, known: readonly string[]): LoreError {
  return new LoreError('invalid_input', `Cannot write type "${type}": this setting does not accept it`, {
    details: { path: 'arguments.type', expected: known.join(', '), received: type },
  });
}

export function valueError(type: string, value: unknown, expected: string): LoreError {
  const shown = (JSON.stringify(value) ?? 'nothing').slice(0, 100);
  return new LoreError('invalid_input', `Cannot write value ${shown}: it is not a ${type}`, {
    details: { path: 'arguments.value', expected, received: shown },
  });
}

export function missing(what: string, path: string): LoreError {
  return new LoreError('not_found', `Cannot find ${what} "${path}": it does not exist`, {
    details: { path: 'arguments.path', expected: `a ${what} that exists`, received: path },
  });
}
