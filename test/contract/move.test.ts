// A person moves a memory between projects: it is recalled there with its provenance, no longer here, and undo restores both.
import { afterAll, describe, expect, it } from 'vitest';
import { createPlainCall, localCaller, personCaller } from '../../src/core/call.ts';
import { createDatabases } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices } from '../support/services.ts';

describe.each(createDatabases())('memory_move on $name', (database) => {
  afterAll(() => database.stop?.());

  it('stores it in the other project, forgets it here, and can be undone and repeated', async () => {
    const [here, there] = [createFolder('here'), createFolder('there')];
    const services = await openServices(database, here);
    const call = async (tool: string, args: object, folder = here, caller = personCaller) =>
      (await services.registry.call(tool, args, createPlainCall({ ...caller, folder }))).structured as {
        [key: string]: unknown;
      };
    const recall = async (folder: string) =>
      (await call('recall', { query: 'Where does the walrus sleep?' }, folder)).memories as { source: string }[];
    const content = 'The walrus sleeps on the ice.';
    const { id } = await call('remember', { content, tags: ['zoo'], source: 'keeper', importance: 0.9 });
    const move = { id, into: there };
    const { moved } = await call('memory_move', move);
    expect(await recall(here)).toEqual([]);
    expect(await recall(there)).toMatchObject([
      { id: moved, text: content, tags: ['zoo'], source: expect.stringMatching(`^keeper; moved from .*, ${id}$`) },
    ]);
    await call('memory_move', { ...move, undo: true });
    expect(await recall(here)).toMatchObject([{ id }]);
    expect(await recall(there)).toEqual([]);
    expect(await call('memory_move', move)).toMatchObject({ moved });
    expect(await recall(there)).toHaveLength(1);

    const refused = async (args: object, word: string, caller = personCaller) =>
      expect(call('memory_move', args, here, caller)).rejects.toMatchObject({ word });
    await refused(move, 'invalid_input');
    const other = await call('remember', { content: 'The seal eats squid.' });
    await call('forget', { id: other.id });
    await refused({ id: other.id, into: there, undo: true }, 'conflict');
    expect(await call('recall', { query: 'What does the seal eat?' })).toMatchObject({ memories: [] });
    await refused({ id, into: here }, 'conflict');
    await refused(move, 'forbidden', localCaller);
    const keyed = await call('remember', { content: 'The port is 7070.', key: 'port' });
    await refused({ id: keyed.id, into: there }, 'invalid_input');
    const own = await call('remember', { content: 'No emojis in commits.', user: true });
    await refused({ id: own.id, into: there }, 'invalid_input');
    await services.close();
  });

  it('leaves a memory that says the same in the other project alone when it is undone', async () => {
    const [here, there] = [createFolder('here'), createFolder('there')];
    const services = await openServices(database, here);
    const call = async (tool: string, args: object, folder = here) =>
      (await services.registry.call(tool, args, createPlainCall({ ...personCaller, folder }))).structured as {
        id: string;
        moved: string;
      };
    const content = 'Otters hold hands.';
    const [{ id }, same] = [await call('remember', { content }), await call('remember', { content }, there)];
    expect((await call('memory_move', { id, into: there })).moved).toBe(same.id);
    await call('memory_move', { id, into: there, undo: true });
    for (const folder of [here, there])
      expect(await call('recall', { query: 'otters hands' }, folder)).toMatchObject({ memories: [{ text: content }] });
    await services.close();
  });
});
