// A kept sentence without its openings, and with the date that a relative time meant.
import { describe, expect, it } from 'vitest';
import { dateRelativeTime, stripOpening } from './extract-finish.ts';

describe('stripOpening', () => {
  it.each([
    ['And please always use pnpm.', 'Always use pnpm.'],
    ['Ah, the mock listens on 9000.', 'The mock listens on 9000.'],
    ['hm the gateway is on 9443 now', 'The gateway is on 9443 now'],
    ["Actually, let's make it 5 retries.", "Let's make it 5 retries."],
    ['ok so, by the way, src/a.ts holds the parser', 'src/a.ts holds the parser'],
    ['Yes, `npm test` runs everything.', '`npm test` runs everything.'],
    ['No tests run on Fridays.', 'No tests run on Fridays.'],
    ['Right-to-left text is supported.', 'Right-to-left text is supported.'],
    ['Android is the main target.', 'Android is the main target.'],
    ['Yes, it is.', 'Yes, it is.'],
    ['Please remember: the gateway listens on 9443.', 'The gateway listens on 9443.'],
    ['ok, iPhone builds need Xcode.', 'iPhone builds need Xcode.'],
    ['Oui, le port est 8443.', 'Le port est 8443.'],
    ['да, порт шлюза 8443', 'Порт шлюза 8443'],
  ])('%s', (text, expected) => {
    expect(stripOpening(text)).toBe(expected);
  });
});

describe('dateRelativeTime', () => {
  const said = new Date(2026, 10, 16, 12).getTime();
  it.each([
    ['We decided last month to drop jest.', 'We decided last month (2026-10) to drop jest.'],
    ['We decided last month (2026-10) to drop jest.', 'We decided last month (2026-10) to drop jest.'],
    ['Ann left yesterday.', 'Ann left yesterday (2026-11-15).'],
    ['CI runs on Node 22 since May.', 'CI runs on Node 22 since May (2026-05-01).'],
    ['We moved in March 2025.', 'We moved in March 2025.'],
    ['The gateway listens on 8443.', 'The gateway listens on 8443.'],
  ])('%s', (text, expected) => {
    expect(dateRelativeTime(text, said)).toBe(expected);
  });
});
