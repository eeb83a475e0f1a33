// Suggestions for misspelt names.
import { expect, it } from 'vitest';
import { didYouMean, findSimilarNames } from './similar-names.ts';

const names = [
  'recall',
  'recent',
  'remember',
  'search_code',
  'checkpoint_resume',
  'claude-code',
  'claude-desktop',
  'tools',
];

it('similar names: typing errors, beginnings and other separators', () => {
  const cases: [string, string[]][] = [
    ['recal', ['recall']],
    ['recetn', ['recent']],
    ['remmeber', ['remember']],
    ['search-code', ['search_code']],
    ['checkpointresume', ['checkpoint_resume']],
    ['claude', ['claude-code', 'claude-desktop']],
    ['toolz', ['tools']],
    ['xyzzy', []],
    ['', []],
    ['recall'.repeat(50), []],
  ];
  expect(cases.map(([given]) => [given, findSimilarNames(given, names)])).toEqual(cases);
  expect(didYouMean('claude', names)).toBe('Did you mean "claude-code" or "claude-desktop"?');
  expect(didYouMean('xyzzy', names)).toBeUndefined();
});
