// A text that only repeats its sources is an echo; one small addition makes it none.
import { describe, expect, it } from 'vitest';
import { createEchoIndex } from './echo.ts';

const file = `# Rules
- Never push directly to main; open a pull request and wait for **two** approvals.
- The API gateway listens on port 8443 and forwards to the orders service.
- Use tabs.
`;

const { covers } = createEchoIndex([file]);

describe('an index of echoes', () => {
  it.each([
    'Never push directly to main; open a pull request and wait for two approvals.',
    'NEVER push directly to main, open a pull request and wait for two approvals',
    'The API gateway listens on port 8443 and forwards to the orders service.',
    'Note: the API gateway listens on port 8443 and forwards to the orders service.',
    'use tabs',
  ])('detects %s as an echo', (text) => {
    expect(covers(text)).toBe(true);
  });

  it.each([
    'The API gateway listens on port 9443 and forwards to the orders service.',
    'The API gateway listens on port 8443 and forwards to the billing service.',
    'The API gateway no longer listens on port 8443 and forwards to the orders service.',
    'Push directly to main.',
    'Use spaces.',
    'main',
    '',
    'The API gateway listens on port 8443 and forwards to the orders service since the outage in May.',
  ])('detects new content in %j', (text) => {
    expect(covers(text)).toBe(false);
  });

  it('needs a source', () => {
    expect(createEchoIndex([]).covers('The API gateway listens on port 8443.')).toBe(false);
  });
});
