// What recall promises, over each database.
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabases } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices, type Services } from '../support/services.ts';

interface Recalled {
  memories: { id: string; text: string; score: number; tags?: string[] }[];
  next_cursor?: string;
  time?: string;
}

const day = 86_400_000;

describe.each(createDatabases())('recall on $name', (database) => {
  let services: Services;
  let now: number;
  beforeEach(async () => {
    now = new Date(2026, 5, 17, 14, 30).getTime();
    services = await openServices(database, createFolder('project'), { now: () => now });
  });
  afterEach(() => services.close());
  afterAll(() => database.stop?.());

  const remember = async (content: string, rest: object = {}) =>
    (await services.call('remember', { content, ...rest })) as unknown as { id: string };
  const recall = async (query: string, rest: object = {}) =>
    (await services.call('recall', { query, ...rest })) as unknown as Recalled;
  const texts = ({ memories }: Recalled) => memories.map(({ text }) => text);

  it('returns only memories with all of the tags', async () => {
    await remember('The gateway listens on port 8443.', { tags: ['API', 'ports'] });
    await remember('The gateway runs on three machines.', { tags: ['api'] });
    await remember('The gateway was written by Ann.');
    const { memories } = await recall('gateway', { tags: ['#api', 'ports'] });
    expect(memories).toMatchObject([{ text: 'The gateway listens on port 8443.', tags: ['API', 'ports'] }]);
    expect((await recall('gateway', { tags: ['api'] })).memories).toHaveLength(2);
    expect((await recall('gateway', { tags: ['api', 'absent'] })).memories).toHaveLength(0);
  });

  it('takes since, until and as_of in words', async () => {
    await remember('The deploy script is deploy.sh.');
    now += 10 * day;
    await remember('The deploy host is called ferry.');
    expect(texts(await recall('deploy', { since: 'yesterday' }))).toEqual(['The deploy host is called ferry.']);
    expect(texts(await recall('deploy', { until: 'last week' }))).toEqual(['The deploy script is deploy.sh.']);
    expect(texts(await recall('deploy', { as_of: '3 days ago' }))).toEqual(['The deploy script is deploy.sh.']);
    await expect(recall('deploy', { since: 'soonish' })).rejects.toMatchObject({
      word: 'invalid_input',
      message: 'Cannot read "soonish": it is not a time',
    });
  });

  it('prefers the time that a question looks back on, and no time that it asks about', async () => {
    await remember('We do not ship on Fridays.');
    expect((await recall('what did we decide last week?')).time).toBe('last week');
    expect((await recall('can I ship on friday?')).time).toBeUndefined();
  });
});
