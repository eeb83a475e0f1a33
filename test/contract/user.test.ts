// Memories about the user: kept once, recalled and shown in every project, below the project's own.
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlainCall, localCaller } from '../../src/core/call.ts';
import { getPrompt } from '../../src/core/registry/lookup.ts';
import { createServiceDatabases } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices, type Services } from '../support/services.ts';

type Memories = { id: string; text: string; project?: string; score?: number }[];

describe.each(createServiceDatabases())('memories about the user on $name', (database) => {
  let services: Services;
  let shop: string;
  let blog: string;
  beforeEach(async () => {
    shop = createFolder('shop');
    blog = createFolder('blog');
    services = await openServices(database, shop);
  });
  afterEach(() => services.close());
  afterAll(() => database.stop?.());

  const remember = async (content: string, rest: object = {}, folder = shop) =>
    (await services.call('remember', { content, ...rest }, folder)).id as string;
  const memories = async (tool: string, args: object, folder: string) =>
    (await services.call(tool, args, folder)).memories as Memories;

  it('are recalled in every project, and marked', async () => {
    const id = await remember('Never put emojis into commit messages.', { user: true });
    const [first] = await memories('recall', { query: 'emojis in commit messages' }, blog);
    expect(first).toMatchObject({ id, project: 'user' });
    expect(await services.text('recall', { query: 'emojis in commit messages' }, blog)).toContain('about the user');
  });

  it('are ranked below the same knowledge of the project', async () => {
    await remember('Commit messages are written in German.', { user: true });
    const own = await remember('Commit messages are written in English.');
    const [first, second] = await memories('recall', { query: 'In which language are commit messages written?' }, shop);
    expect(first).toMatchObject({ id: own });
    expect(second).toMatchObject({ project: 'user' });
    expect(first?.score).toBeGreaterThan(second?.score as number);
  });

  it('are added to a prompt and to the brief of an empty project', async () => {
    const id = await remember('Never put emojis into commit messages.', { user: true });
    const prompt = 'Write the commit message, with emojis where they fit.';
    expect(await services.call('enhance', { prompt }, blog)).toMatchObject({ relevant: true, memories: [id] });
    expect(await services.call('project', {}, blog)).toMatchObject({
      memories: 0,
      parts: [{ part: 'user', memories: [{ id }] }],
    });
  });

  it('are in the prompt for the project brief', async () => {
    await remember('Never put emojis into commit messages.', { user: true });
    const call = createPlainCall({ ...localCaller, folder: blog });
    const prompt = await getPrompt(services.registry, 'what_do_we_know', { topic: 'emojis in commits' }, call);
    expect(JSON.stringify(prompt)).toContain('Never put emojis');
  });

  it('are found with query_context', async () => {
    await remember('Never put emojis into commit messages.', { user: true });
    expect(JSON.stringify(await services.call('query_context', { query: 'emojis in commits' }, blog))).toContain(
      'emojis',
    );
  });

  it('are listed, counted and cleaned up separately', async () => {
    const own = await remember('The shop sells walruses.');
    const id = await remember('I prefer small pull requests.', { user: true });
    expect(await memories('recent', { user: true }, blog)).toMatchObject([{ id }]);
    expect(await memories('recent', {}, shop)).toMatchObject([{ id: own }]);
    expect(await services.call('stats', { user: true }, blog)).toMatchObject({ memories: 1 });
    expect(await services.call('stats', {}, blog)).toMatchObject({ memories: 0 });
    expect(await memories('recall', { query: 'walruses or pull requests', user: true }, shop)).toMatchObject([{ id }]);
    expect(await services.call('cleanup', { user: true }, blog)).toMatchObject({ count: 0 });
  });

  it('are merged only with each other', async () => {
    const own = await remember('Small pull requests are preferred.');
    const id = await remember('Small pull requests are preferred.', { user: true });
    expect(id).not.toBe(own);
    expect(await remember('small pull requests are preferred', { user: true }, blog)).toBe(id);
  });

  it('are read and forgotten by their id from any project', async () => {
    const id = await remember('I prefer small pull requests.', { user: true });
    expect(await services.text('recall', { query: id }, blog)).toContain('small pull requests');
    await services.call('forget', { id }, blog);
    expect(await memories('recent', { user: true }, shop)).toEqual([]);
    await services.call('forget', { id, undo: true }, blog);
    expect(await memories('recent', { user: true }, shop)).toMatchObject([{ id }]);
  });

  it('cite no files, since they belong to no folder', async () => {
    const id = await remember('I wrote `src/app.ts` and `README.md` myself.', { user: true });
    expect((await services.opened.graph.get(id))?.data).not.toHaveProperty('cited');
  });

  it('do not make the user a project among others', async () => {
    await remember('I prefer small pull requests.', { user: true });
    await expect(services.call('recall', { query: 'x', project: 'user' }, blog)).rejects.toThrow('no project has');
    expect(await memories('recall', { query: 'pull requests', project: 'all' }, blog)).toMatchObject([{}]);
  });
});
