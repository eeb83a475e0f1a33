// The exit status of a command for each error word.
import { type ErrorWord, errorWords } from '../core/error.ts';

export const exitStatus: Record<ErrorWord, number> = {
  internal: 1,
  invalid_input: 2,
  not_found: 3,
  conflict: 4,
  forbidden: 5,
  limit_exceeded: 6,
  timeout: 7,
  unavailable: 8,
};

/** For the end of every help page. */
export const exitStatusFacts = [
  '0 success',
  ...[...errorWords]
    .sort((a, b) => exitStatus[a] - exitStatus[b])
    .map((word) => `${exitStatus[word]} ${word.replaceAll('_', ' ')}`),
];
