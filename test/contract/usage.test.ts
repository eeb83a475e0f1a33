// What agents were given, and whether it helped, is counted by project, day, agent and action. What a person looks at is not.
import { afterAll, describe, expect, it } from 'vitest';
import { createPlainCall, localCaller, personCaller } from '../../src/core/call.ts';
import { countUses } from '../../src/graph/usage.ts';
import { createDatabases } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices } from '../support/services.ts';

describe.each(createDatabases())('uses on $name', (database) => {
  afterAll(() => database.stop?.());

  it('are counted for agents only, in batches', async () => {
    const folder = createFolder('usage');
    const services = await openServices(database, folder);
    const call = async (tool: string, args: object, caller = localCaller) =>
      (await services.registry.call(tool, args, createPlainCall({ ...caller, agent: 'walrus-agent', folder })))
        .structured as {
        id: string;
        memories: unknown[];
      };
    await call('remember', { content: 'The walrus sleeps on the ice.' });
    for (let times = 0; times < 2; times++) {
      expect((await call('recall', { query: 'Where does the walrus sleep?' })).memories).toHaveLength(1);
    }
    expect((await call('enhance', { prompt: 'Where does the walrus sleep?' })).memories).toHaveLength(1);
    await call('recall', { query: 'Where does the walrus sleep?' }, personCaller);
    const { id } = await call('remediation_save', { error_msg: 'E42: no clams', solution: 'Buy clams.' });
    await call('remediation_feedback', { id, helpful: true });
    await call('remediation_feedback', { id, helpful: true });
    await call('remediation_feedback', { id, helpful: false });
    const { project } = await services.folders.open({ ...localCaller, folder });
    // Pending uses are written when the service stops.
    await services.registry.unregister('memory');
    const counted = await countUses(services.opened, [project.id], 0);
    expect(counted.map(({ action, count }) => `${action} ${count}`)).toEqual([
      'did_not_help 1',
      'helped 2',
      'injected 1',
      'injected_tokens 7',
      'recalled 2',
      'recalled_tokens 14',
    ]);
    expect(new Set(counted.map(({ actor }) => actor))).toEqual(new Set(['walrus-agent']));
    expect(new Set(counted.map(({ day }) => day % 86_400_000))).toEqual(new Set([0]));
    expect(await countUses(services.opened, ['another'], 0)).toEqual([]);
    await services.close();
  });
});
