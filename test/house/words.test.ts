// The dashboard imports no code of the server, so it repeats a few words; both must agree.
import { expect, it } from 'vitest';
import { actionWords } from '../../src/services/memory/show/show-entry.ts';
import { nameChange } from '../../src/web/core/words.ts';

it('words: the dashboard names changes like the command line', () => {
  for (const [action, word] of Object.entries(actionWords)) expect(nameChange(action)).toBe(word);
});
