// Which older statements are suggested for a new one.
import { describe, expect, it } from 'vitest';
import { createRelater } from './relation.ts';

const relate = (older: string, newer: string) => createRelater(newer)(older)?.relation;

describe('createRelater', () => {
  it.each([
    ['The proxy times out after 30 seconds.', 'The proxy times out after 60 seconds.'],
    ['The CI pipeline takes about 12 minutes.', 'CI takes 6 minutes since we added caching.'],
    ['Never deploy on Fridays.', 'Deploying on Fridays is fine now.'],
    ['The scheduler is enabled.', 'The scheduler is not enabled.'],
    ['The port is 8443. The host is a.dev.', 'The port is 9443.'],
    ['Der Cache läuft nach 10 Minuten ab.', 'Der Cache läuft nach 45 Minuten ab.'],
    ['本番環境のポートは8080です。', '本番環境のポートは9090です。'],
    ['Резервные копии хранятся 30 дней.', 'Резервные копии больше не хранятся.'],
    ['الحد الأقصى لحجم الملف هو 5 ميغابايت.', 'الحد الأقصى لحجم الملف هو 25 ميغابايت.'],
  ])('%j may disagree with %j', (older, newer) => {
    expect(relate(older, newer)).toBe('may_disagree');
  });

  it.each([
    ['The API listens on port 8443.', 'On port 8443 the API listens.'],
    ['We deploy on Fridays.', 'we deploy on Fridays'],
  ])('%j repeats %j', (older, newer) => {
    expect(relate(older, newer)).toBe('repeats');
  });

  it.each([
    ['Tests run with vitest.', 'The office is in Lyon.'],
    ['Uploads are limited to 20 MB.', 'Deploys need two approvals.'],
    ['Does the proxy time out after 30 seconds?', 'The proxy times out after 60 seconds.'],
    ['Thank you! That helps.', 'Thank you! The port is 80.'],
    ['', 'The port is 80.'],
    ['!?', '…'],
  ])('%j is unrelated to %j', (older, newer) => {
    expect(relate(older, newer)).toBeUndefined();
  });

  it('takes texts of any length', () => {
    const long = Array.from({ length: 20_000 }, (_, n) => `The port ${n} is open.`).join(' ');
    expect(relate('The port 7 is closed.', long)).toBeUndefined();
    expect(relate(long, 'x '.repeat(50_000))).toBeUndefined();
    expect(relate('漢'.repeat(50_000), '字'.repeat(50_000))).toBeUndefined();
  });
});
