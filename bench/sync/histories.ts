// Random histories of five devices with clocks up to a year apart: they remember, share, edit, forget, restore, replace, link, take
// back and purge; some are away for long, some hear of operations twice and in any order. In the end all have the same bytes. In
// every second history all sign, and the list of signers changes meanwhile, so that everything is judged again.

import type { Node } from '../../src/graph/node.ts';
import { purge } from '../../src/graph/purge/purge.ts';
import { importOps } from '../../src/graph/share/import-ops.ts';
import type { SharedOp } from '../../src/graph/share/op.ts';
import { openSharing, unshareMemory } from '../../src/graph/share/share.ts';
import { sql } from '../../src/store/sql.ts';
import { removeFolders } from '../../test/support/folder.ts';
import type { Services } from '../../test/support/services.ts';
import { createDevice, createRemote, type Device } from '../../test/support/share.ts';
import { createKey, hasKeygen, lineOf, listSigners } from '../../test/support/trust.ts';
import { createRandom } from './random.ts';

const deviceCount = 5;
const steps = 40;
const year = 365 * 86_400_000;

export async function run({ count = 200 }: { count?: number }) {
  const services: Services[] = [];
  const result = {
    histories: count,
    signed: 0,
    devices: deviceCount,
    steps,
    operations: 0,
    syncs: 0,
    lost: 0,
    unequal: 0,
    failed: 0,
  };
  const keys = hasKeygen ? Array.from({ length: deviceCount }, () => createKey()) : [];
  for (let seed = 0; seed < count; seed++) {
    const isSigned = hasKeygen && seed % 2 === 1;
    const random = createRandom(seed);
    const remote = createRemote();
    const devices: Device[] = [];
    for (let at = 0; at < deviceCount; at++) {
      const skew = (random(3) - 1) * random(year);
      const now = () => Date.now() + (services[at] ? (skews[at] ?? 0) : 0);
      const signing = isSigned ? { signingKey: keys[at] as string } : {};
      const known = services[at] && { services: services[at] };
      const device = await createDevice(`dev${at}`, remote, { now, ...signing, ...known });
      services[at] ??= device.services;
      skews[at] = skew;
      devices.push(device);
    }
    const acknowledged = new Set<string>();
    const lines = keys.map((key, at) => lineOf(`dev${at}@example.org`, key));
    if (isSigned) result.signed++;
    for (let step = 0; step < steps; step++) {
      if (isSigned && step % 13 === 0) listSigners(devices, [...lines, `# ${step}`]);
      await act(devices, random, acknowledged, result);
    }
    // Everybody hears of everything.
    for (let round = 0; round < 3; round++) for (const device of devices) await sync(device, acknowledged, result);
    const exports = await Promise.all(devices.map((device) => device.export()));
    if (new Set(exports).size > 1) {
      result.unequal++;
      console.error(`history ${seed} differs`);
      const lines = exports.map((text) => new Set(text.split('\n')));
      for (const [at, one] of lines.entries())
        for (const line of one) if (!lines.every((other) => other.has(line))) console.error(at, line);
    }
    const known = new Set((await listOps(devices[0] as Device)).map(nameOf));
    const ended = new Set(
      (await listOps(devices[0] as Device)).filter(({ op }) => op === 'retract').map(({ id }) => id),
    );
    for (const name of acknowledged) if (!known.has(name) && !ended.has(name.split(' ')[0] as string)) result.lost++;
    result.operations += known.size;
  }
  for (const one of services) await one.close();
  removeFolders();
  return { ...result, failed: result.lost + result.unequal };
}

const skews: number[] = [];

async function listOps({ scope }: Device): Promise<SharedOp[]> {
  const rows = await scope.opened.store.all<{ op: string }>(
    sql`select op from shared_op where project = ${scope.project.id} and op <> ''`,
  );
  return rows.map(({ op }) => JSON.parse(op) as SharedOp);
}

const nameOf = ({ id, at, dev }: SharedOp) => `${id} ${at} ${dev}`;

async function sync(device: Device, acknowledged: Set<string>, result: { syncs: number }): Promise<void> {
  const { problem, blocked } = await device.sync();
  if (problem !== undefined || blocked.length > 0)
    throw new Error(`${device.name}: ${problem ?? JSON.stringify(blocked)}`);
  result.syncs++;
  for (const op of await listOps(device)) if (op.by === device.name) acknowledged.add(nameOf(op));
}

async function act(
  devices: readonly Device[],
  random: (below: number) => number,
  acknowledged: Set<string>,
  result: { syncs: number },
): Promise<void> {
  const device = devices[random(devices.length)] as Device;
  const { scope } = device;
  const { store, graph } = scope.opened;
  const shared = await store.all<{ id: string }>(
    sql`select id from node where project = ${scope.project.id} and level = 'team' order by id`,
  );
  const pick = async () => graph.get(shared[random(Math.max(1, shared.length))]?.id ?? '');
  const node = await pick();
  const word = `fact ${random(1_000_000).toString(36)} of ${device.name}`;
  const choice = node ? random(16) : 0;
  if (choice <= 3 || !node) {
    const id = await device.remember(`We keep ${word} here.`, { tags: [`t${random(4)}`] });
    if (random(5) > 0) await device.share(id);
  } else if (choice <= 6 && node.forgottenAt === undefined) {
    await device.call('memory_edit', { id: node.id, text: `Now it is ${word}.`, hash: node.hash });
  } else if (choice === 7) await device.call('forget', { id: node.id });
  else if (choice === 8) await device.call('forget', { id: node.id, undo: true });
  else if (choice === 9) await supersede(device, node, `Instead ${word}.`, random(3) > 0);
  else if (choice === 10) {
    const other = await pick();
    if (other && other.id !== node.id)
      await device.call('context_link', { from: node.id, kind: 'about', to: other.id });
  } else if (choice === 11 && random(3) === 0) await takeBack(device, node);
  else if (choice === 12) await gossip(devices, device, random);
  else if (choice >= 13) await sync(device, acknowledged, result);
}

async function supersede(device: Device, node: Node, text: string, isShared: boolean): Promise<void> {
  if (node.supersededBy !== undefined || node.forgottenAt !== undefined) return;
  const next = await device.remember(text, { supersedes: [node.id] });
  if (isShared) await device.share(next);
}

async function takeBack({ scope }: Device, node: Node): Promise<void> {
  if (node.data.shared === undefined) await unshareMemory(scope, node);
  else await purge(scope.opened.store, { ids: [node.id], earlier: [], projects: scope.projects });
}

const early = { batch: '', key: '', isOwn: false, isCurrent: false };

/** Some operations of another device arrive early, out of order and twice. */
async function gossip(devices: readonly Device[], device: Device, random: (below: number) => number): Promise<void> {
  const other = devices[random(devices.length)] as Device;
  const ops = (await listOps(other)).filter(() => random(2) === 0).sort(() => random(3) - 1);
  const sharing = await openSharing(device.scope, 'team', device.name);
  const some = ops.slice(0, 10);
  for (const op of [...some, ...some.slice(0, 3)]) await importOps(device.scope.opened, sharing, [op], early);
}
