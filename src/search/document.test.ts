// Counting terms without taking every word apart again gives what taking it apart gives.
import { expect, it } from 'vitest';
import { analyze } from './analyze.ts';
import { countTerms } from './document.ts';

it.each([
  'parseHttpHeader parse_http src/http/header.ts parseHttpHeader deploys deployed v1.2.3',
  '数据库 数据库 ﬁne café CAFÉ  it’s its',
  '',
])('counts the terms of %j', (text) => {
  const terms = analyze(text);
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  expect(countTerms('', text)).toEqual({ length: terms.length, frequencies: counts });
});
