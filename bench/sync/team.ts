// A team of three that remembers the commits of its repository as they came, syncs now and then, and ends with the same memories.
import { LoreError } from '../../src/core/error.ts';
import type { Node } from '../../src/graph/node.ts';
import { createDevice, createRemote, type Device } from '../../test/support/share.ts';
import { type Asked, ask } from './ask.ts';
import { type Commit, readCommits } from './commits.ts';
import { createRandom } from './random.ts';

const names = ['Ann', 'Bob', 'Cid'];
/** Own commits between two syncs of a member, on average. */
const between = 12;
const mostQuestions = 150;

export async function runTeam(repository: string, count: number) {
  let clock = 0;
  const remote = createRemote();
  const members: Device[] = [];
  for (const name of names) members.push(await createDevice(name, remote, { now: () => clock }));
  const random = createRandom(11);
  const commits = readCommits(repository, count, names.length);
  const result = { commits: commits.length, shared: 0, repeated: 0, superseded: 0, edited: 0, redacted: 0, syncs: 0 };
  const heldBack: Record<string, number> = {};
  const hold = (reason: string) => {
    heldBack[reason] = (heldBack[reason] ?? 0) + 1;
  };
  const sync = async (device: Device) => {
    const { problem, blocked } = await device.sync();
    if (problem !== undefined) throw new Error(problem);
    for (const { reason } of blocked) hold(`an edit: ${reason}`);
    result.syncs++;
  };
  /** By commit. */
  const ids = new Map<string, string>();
  let slowestMs = 0;
  for (const { member, at, text, subject, hash, reverts, follows } of commits) {
    clock = Math.max(clock + 1, at);
    const device = members[member] as Device;
    const earlier = await findEarlier(device, ids, [...reverts, ...follows], sync);
    const began = performance.now();
    const supersedes = reverts.flatMap((one) => earlier.get(one)?.id ?? []);
    const stored = await device.call('remember', { content: text, expires: 'never', supersedes });
    result.superseded += supersedes.length;
    if (stored.action === 'merged') result.repeated++;
    if (Number(stored.redacted) > 0) result.redacted++;
    const refusal = await share(device, String(stored.id));
    if (refusal === undefined) ids.set(hash, String(stored.id));
    else hold(refusal);
    for (const { id, text: before, hash: known } of follows.flatMap((one) => earlier.get(one) ?? [])) {
      await device.call('memory_edit', { id, text: `${before}\n\nChanged later: ${subject}`, hash: known });
      result.edited++;
    }
    slowestMs = Math.max(slowestMs, Math.round(performance.now() - began));
    if (random(between) === 0) await sync(device);
  }
  // Everybody hears of everything.
  for (let round = 0; round < 2; round++) for (const device of members) await sync(device);
  const shared = new Set(ids.values());
  result.shared = shared.size;
  const exports = await Promise.all(members.map((device) => device.export()));
  const unequal = new Set(exports).size - 1;
  let lost = 0;
  for (const device of members) for (const id of shared) if ((await device.get(id))?.level !== 'team') lost++;
  const asked = await ask(members, await listQuestions(members[0] as Device, commits, ids));
  for (const { services } of members) await services.close();
  return { ...result, heldBack, slowestMs, unequal, lost, ...asked, failed: unequal + lost };
}

/** Memories of earlier commits that are valid here. Whoever refers to one has read it, so a missing one is fetched. */
async function findEarlier(
  device: Device,
  ids: ReadonlyMap<string, string>,
  hashes: readonly string[],
  sync: (device: Device) => Promise<void>,
): Promise<Map<string, Node>> {
  const found = new Map<string, Node>();
  for (const hash of hashes) {
    const id = ids.get(hash) ?? ids.get([...ids.keys()].find((one) => one.startsWith(hash)) ?? '');
    if (id === undefined) continue;
    if (!(await device.get(id))) await sync(device);
    const node = await device.get(id);
    if (node && node.supersededBy === undefined) found.set(hash, node);
  }
  return found;
}

/** Returns why it was refused. */
async function share(device: Device, id: string): Promise<string | undefined> {
  try {
    await device.share(id);
    return undefined;
  } catch (error) {
    if (!(error instanceof LoreError) || error.word !== 'invalid_input') throw error;
    return error.message.replace(/^.*?": /, '');
  }
}

/** What a subject is about, without the number of its ticket, unless the memory was replaced. */
async function listQuestions(device: Device, commits: readonly Commit[], ids: ReadonlyMap<string, string>) {
  const step = Math.max(1, Math.floor(commits.length / mostQuestions));
  const questions: Asked[] = [];
  for (let at = 0; at < commits.length; at += step) {
    const { hash, subject } = commits[at] as Commit;
    const id = ids.get(hash);
    if (id === undefined || (await device.get(id))?.supersededBy !== undefined) continue;
    questions.push({ question: subject.replace(/^(?:Fixed|Refs)[ ,#\d]+--? /, ''), answers: [id] });
  }
  return questions;
}
