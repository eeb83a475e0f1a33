// A remote that grew for a year: eight devices synced often, so each of many small files has one operation and a commit of its own.
// Read by a device that has nothing, then with nothing new, with one more file, and with something to send.
import { execFileSync } from 'node:child_process';
import { createId } from '../../src/core/id.ts';
import { groupOps, nameBatch, writeBatch } from '../../src/graph/share/batch.ts';
import { tick } from '../../src/graph/share/clock.ts';
import type { SharedOp } from '../../src/graph/share/op.ts';
import { removeFolders } from '../../test/support/folder.ts';
import { createDevice, createRemote } from '../../test/support/share.ts';
import { createRandom } from './random.ts';
import { summarise, time } from './time.ts';
import { createWriter } from './words.ts';

const devices = Array.from({ length: 8 }, (_, at) => `d_${at.toString().repeat(12)}`);
const year = 365 * 86_400_000;
const rounds = 10;
const ref = 'refs/lore/team/log';

export async function run({ count = 20_000, each = 1, root }: { count?: number; each?: number; root: string }) {
  const remote = createRemote();
  const write = createWriter(root, createRandom(7));
  const end = Date.now() - rounds * 1_000;
  const add = (files: number, at: (file: number) => number) => {
    const commits = Array.from({ length: files }, (_, file) => {
      const dev = devices[file % devices.length] as string;
      const ops = Array.from({ length: each }, (): SharedOp => {
        const set = { text: write(), kind: 'semantic', knowledge: 'note', created: at(file) };
        return { op: 'put', id: createId('n'), at: tick(at(file), []), dev, by: dev, gen: 0, prev: [], set };
      });
      return groupOps('team', ops).map((batch) => {
        const { path, text } = nameBatch(batch.ops[0], writeBatch(batch));
        return [`M 100644 inline ${path}`, `data ${Buffer.byteLength(text)}`, text].join('\n');
      });
    });
    const from = execFileSync('git', ['for-each-ref', ref], { cwd: remote }).length > 0;
    const input = commits.map((lines, at) =>
      [
        `commit ${ref}`,
        'committer a <a@example.org> 1 +0000',
        'data 4',
        'sync',
        ...(from && at === 0 ? [`from ${ref}^0`] : []),
        ...lines,
        '',
      ].join('\n'),
    );
    execFileSync('git', ['fast-import', '--quiet'], { cwd: remote, input: input.join('') });
  };
  add(count, (file) => Math.round(end - year + (year * file) / count));
  const reader = await createDevice('reader', remote);
  const cold = await time(() => reader.sync());
  const [idle, one, sending]: number[][] = [[], [], []];
  let received = 0;
  let sent = 0;
  for (let round = 0; round < rounds; round++) {
    idle?.push((await time(() => reader.sync())).ms);
    add(1, () => end + round * 1_000);
    const next = await time(() => reader.sync());
    one?.push(next.ms);
    received += next.value.received;
    await reader.share(await reader.remember(write()));
    const last = await time(() => reader.sync());
    sending?.push(last.ms);
    sent += last.value.sent;
  }
  await reader.services.close();
  removeFolders();
  const failed = [cold.value.received - count * each, received - rounds * each, sent - rounds];
  return {
    files: count,
    operations: count * each,
    devices: devices.length,
    coldImportMs: Math.round(cold.ms),
    nothingNewMs: summarise(idle ?? []),
    oneNewFileMs: summarise(one ?? []),
    sendingOneMs: summarise(sending ?? []),
    failed: failed.filter((difference) => difference !== 0).length,
  };
}
