// What recall promises, over each database.
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabases } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices, type Services } from '../support/services.ts';

interface Recalled {
  memories: { id: string; text: string; score: number; tags?: string[] }[];
  nearest?: { id: string; text: string };
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

  it('accepts since, until and as_of as phrases', async () => {
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

  it('prefers a past time in a question, but not a future one', async () => {
    await remember('We do not ship on Fridays.');
    expect((await recall('what did we decide last week?')).time).toBe('last week');
    expect((await recall('can I ship on friday?')).time).toBeUndefined();
  });

  const readme = [
    'A small service that tracks parcels.',
    'It is written in TypeScript and runs on Node 22.',
    'HTTP requests arrive in src/server.ts and are passed to the handlers.',
    'Webhook deliveries are retried six times with exponential backoff.',
  ];

  it('sorts by the score it shows, whatever filters and pages', async () => {
    for (const text of readme) await remember(text);
    const { memories } = await recall('which requests are retried, and how often are deliveries tracked?', {
      limit: 50,
    });
    const scores = memories.map(({ score }) => score);
    expect(scores.length).toBeGreaterThan(1);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
  });

  it('gives a memory the same score whatever else is stored', async () => {
    await remember(readme[3] as string);
    const [alone] = (await recall('webhook retries')).memories;
    for (const text of ['Webhook retries are logged.', 'Webhook retries, webhook retries!']) await remember(text);
    const among = (await recall('webhook retries')).memories.find(({ id }) => id === alone?.id);
    // Rarity is a matter of what is stored, so that it is not the same to the last digit.
    expect(Math.abs((among?.score ?? 0) - (alone?.score ?? 0))).toBeLessThan(0.15);
  });

  it('returns nothing for an unrelated question, and names the nearest memory', async () => {
    for (const text of readme) await remember(text);
    const { memories, nearest } = await recall('what is the weather');
    expect(memories).toEqual([]);
    expect(nearest?.id).toMatch(/^n_/);
    expect(readme.some((text) => text.startsWith((nearest?.text ?? '?').replace(/ …$/, '')))).toBe(true);
  });

  it.each([
    ['明日の天気はどうですか?', '在庫モジュールは田中が担当しています。', '在庫モジュールは誰が担当していますか?'],
    ['明天天气怎么样?', '库存模块由李娜负责。', '库存模块谁负责?'],
    ['Какая завтра погода?', 'За расчёт остатков отвечает Марина.', 'Кто отвечает за расчёт остатков?'],
    ['كيف الطقس غدا؟', 'ليلى مسؤولة عن حساب المخزون.', 'من المسؤول عن حساب المخزون؟'],
  ])('detects irrelevant queries in other languages: %s', async (foreign, fact, question) => {
    await remember(fact);
    for (const text of readme) await remember(text);
    expect(texts(await recall(foreign))).toEqual([]);
    expect(texts(await recall(question))[0]).toBe(fact);
  });

  it('puts the newer of two equal answers first', async () => {
    for (const [older, newer, question] of [
      ['Never deploy on Fridays.', 'Deploying on Fridays is fine now.', 'can I deploy on Friday?'],
      [
        'Ann prefers small pull requests.',
        'Ann now prefers large pull requests.',
        'which pull requests does Ann prefer?',
      ],
    ] as const) {
      await remember(older);
      now += 1_000;
      await remember(newer);
      expect(texts(await recall(question)).slice(0, 2), question).toEqual([newer, older]);
    }
  });

  it('does not let sentences of one document boost each other', async () => {
    const { operation_id: id } = await services.call('learn', {
      content: `# Parcels\n\n${readme.join('\n\n')}`,
      source: 'README.md',
    });
    await services.opened.worker.idle();
    expect((await services.opened.operations.get(id as string))?.state).toBe('done');
    const learned = await recall('typescript parcels requests webhook', { limit: 50 });
    expect(learned.memories.length).toBeGreaterThan(2);
    expect(learned.memories.every((memory) => !('session' in memory))).toBe(true);
    const [first, second] = (await recall('webhook deliveries')).memories;
    expect(first?.text).toBe(readme[3]);
    expect(second?.score ?? 0).toBeLessThan((first?.score ?? 0) / 2);
  });
});
