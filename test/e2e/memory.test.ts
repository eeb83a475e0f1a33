// Memory from outside: two agents' processes on one database, work that outlives its process, notified changes.
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { sql } from '../../src/store/sql.ts';
import { createFolder } from '../support/folder.ts';
import { runLore, spawnLore } from '../support/lore.ts';

interface Answer {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: { structuredContent: Record<string, unknown> };
}

function createAgent(env: Record<string, string>, cwd: string) {
  const child = spawnLore(['stdio', '--structured'], env, cwd);
  onTestFinished(() => void child.kill('SIGKILL'));
  const waiting = new Map<number, (answer: Answer) => void>();
  const told: Answer[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer;
    if (answer.id === undefined) told.push(answer);
    else waiting.get(answer.id)?.(answer);
  });
  let last = 0;
  const send = (method: string, params: object) =>
    new Promise<Answer>((resolve) => {
      const id = ++last;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  const clientInfo = { name: 'test', version: '1' };
  return {
    child,
    told,
    send,
    begin: () => send('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }),
    call: async (name: string, args: object) =>
      (await send('tools/call', { name, arguments: args })).result?.structuredContent as Record<string, unknown>,
  };
}

function createPlace(): { env: Record<string, string>; folder: string } {
  const folder = createFolder('agents');
  return { folder, env: { LORE_DB: join(folder, 'lore.db'), LORE_CONFIG: join(folder, 'none.json') } };
}

describe('two agents', () => {
  it('see each other’s memories at once', async () => {
    const { env, folder } = createPlace();
    const [first, second] = [createAgent(env, folder), createAgent(env, folder)];
    await Promise.all([first.begin(), second.begin()]);
    for (let n = 0; n < 5; n++) {
      await first.call('remember', { content: `The walrus of pen ${n} is called Wally the ${n}th.` });
      const { memories } = await second.call('recall', { query: `who lives in pen ${n}?`, limit: 1 });
      expect(memories).toMatchObject([{ text: `The walrus of pen ${n} is called Wally the ${n}th.` }]);
    }
    expect(JSON.parse((await runLore(['stats', '--json'], { env, cwd: folder })).stdout)).toMatchObject({
      memories: 5,
    });
  });

  it('finish the work of a killed process', async () => {
    const { env, folder } = createPlace();
    const first = createAgent(env, folder);
    await first.begin();
    const facts = Array.from({ length: 60 }, (_, n) => `The service number ${n} listens on port ${7000 + n}.`);
    const { operation_id: id } = await first.call('learn', { content: facts.join(' ') });
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const store = await openStore(env.LORE_DB as string);
    // The lease of the killed process expires.
    await store.run(sql`update operation set held_until = 0`);
    await store.close();
    const second = createAgent(env, folder);
    await second.begin();
    const state = async () =>
      ((await second.call('status', { operation_id: id })) as { operations: { state: string }[] }).operations[0]?.state;
    await expect.poll(state, { interval: 200 }).toBe('done');
    expect(await second.call('stats', {})).toMatchObject({ memories: 60, hygiene: { duplicates: 0 } });
  });

  it('are notified when a watched resource changes', async () => {
    const { env, folder } = createPlace();
    const agent = createAgent(env, folder);
    await agent.begin();
    await agent.send('resources/subscribe', { uri: 'lore://project' });
    await agent.call('remember', { content: 'Deploys go out on Tuesdays.' });
    await expect
      .poll(() => agent.told.map(({ method, params }) => [method, params?.uri]))
      .toContainEqual(['notifications/resources/updated', 'lore://project']);
  });
});
