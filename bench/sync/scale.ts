// Size and time: operations of sixty words over eight devices in one remote, read by a device that has nothing, then fifty more by
// one that has the rest; and four devices that push at once.
import { createId } from '../../src/core/id.ts';
import { runNow } from '../../src/core/steps.ts';
import { createNode } from '../../src/graph/create-node.ts';
import { insertNodes } from '../../src/graph/statement.ts';
import { list, sql } from '../../src/store/sql.ts';
import { removeFolders } from '../../test/support/folder.ts';
import { createDevice, createRemote, type Device, git } from '../../test/support/share.ts';
import { createRandom } from './random.ts';
import { summarise, time } from './time.ts';
import { createWriter } from './words.ts';

const deviceCount = 8;

export async function run({ count = 20_000, root }: { count?: number; root: string }) {
  const remote = createRemote();
  const write = createWriter(root, createRandom(7));
  const each = Math.floor(count / deviceCount);
  const senders: Device[] = [];
  for (let at = 0; at < deviceCount; at++) {
    const device = await createDevice(`dev${at}`, remote);
    // In eight parts, as they would come.
    for (let part = 0; part < 8; part++) {
      await fill(device, Math.floor(each / 8), write);
      await device.sync();
    }
    senders.push(device);
  }
  git(remote, 'gc', '-q', '--prune=now');
  const packed = Number(/size-pack: (\d+)/.exec(git(remote, 'count-objects', '-v'))?.[1]) / 1024;
  const reader = await createDevice('reader', remote);
  const cold = await time(() => reader.sync());
  const incremental: number[] = [];
  for (let round = 0; round < 10; round++) {
    const sender = senders[0] as Device;
    await fill(sender, 50, write);
    await sender.sync();
    incremental.push((await time(() => reader.sync())).ms);
  }
  const pushed = await pushAtOnce(senders.slice(0, 4), write, reader);
  for (const device of [...senders, reader]) await device.services.close();
  removeFolders();
  return {
    operations: each * deviceCount,
    devices: deviceCount,
    remoteMB: Math.round(packed * 100) / 100,
    coldImportMs: Math.round(cold.ms),
    coldCpuMs: Math.round(cold.cpu),
    received: cold.value.received,
    incrementalMs: summarise(incremental),
    ...pushed,
    failed: pushed.lost + (cold.value.received === Math.floor(each / 8) * 8 * deviceCount ? 0 : 1),
  };
}

/** Shared memories, stored without the checks of `remember`, which are not measured here. */
async function fill({ scope }: Device, count: number, write: () => string): Promise<void> {
  const { store, graph } = scope.opened;
  for (let at = 0; at < count; at += 250) {
    const nodes = Array.from({ length: Math.min(250, count - at) }, () =>
      runNow(
        createNode(
          {
            id: createId('n'),
            project: scope.project.id,
            kind: 'memory',
            text: write(),
            data: { kind: 'semantic', knowledge: 'note' },
          },
          graph.now(),
        ),
      ),
    );
    await store.tx(async (tx) => {
      await insertNodes(tx, nodes);
      await tx.run(sql`update node set level = 'team' where id in ${list(nodes.map(({ id }) => id))}`);
    });
  }
}

async function pushAtOnce(devices: readonly Device[], write: () => string, reader: Device) {
  const rounds = 12;
  const before = await countShared(reader);
  const retries = await Promise.all(
    devices.map(async (device) => {
      for (let round = 0; round < rounds; round++) {
        await fill(device, 5, write);
        const { pending, problem } = await device.sync();
        if (pending > 0) throw new Error(problem);
      }
    }),
  );
  await reader.sync();
  const after = await countShared(reader);
  return { pushedAtOnce: retries.length * rounds * 5, lost: retries.length * rounds * 5 - (after - before) };
}

async function countShared({ scope }: Device): Promise<number> {
  const row = await scope.opened.store.one<{ n: number }>(sql`select count(*) as n from node where level = 'team'`);
  return Number(row?.n);
}
