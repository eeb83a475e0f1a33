// What leaves: memories of all levels, some with secrets that were stored before a rule knew them, some with paths in home folders.
// Every object of every remote is searched for what must not be there, and after everything was taken back, for all the rest.

import { createId } from '../../src/core/id.ts';
import { findSecrets } from '../../src/core/secret/redact.ts';
import { runNow } from '../../src/core/steps.ts';
import { createNode } from '../../src/graph/create-node.ts';
import type { Node } from '../../src/graph/node.ts';
import { chooseRemote, openRemote } from '../../src/graph/share/destination.ts';
import { openGuard } from '../../src/graph/share/guard/open.ts';
import { levels, sharedLevels } from '../../src/graph/share/level.ts';
import { openSharing, unshareMemory } from '../../src/graph/share/share.ts';
import { syncLog } from '../../src/graph/share/sync.ts';
import { insertNodes } from '../../src/graph/statement.ts';
import { list, sql } from '../../src/store/sql.ts';
import { createFolder, removeFolders } from '../../test/support/folder.ts';
import { createDevice, createRemote, git } from '../../test/support/share.ts';

interface Planted {
  id: string;
  level: (typeof levels)[number];
  text: string;
  /** Must be in no remote. */
  hidden: string[];
  isBlocked: boolean;
}

/** `texts` have secrets. */
export async function run({ count = 5_000, texts }: { count?: number; texts: readonly string[] }) {
  const remotes = { mine: createRemote(), team: createRemote() };
  const device = await createDevice('Ann', remotes.team);
  git(device.folder, 'remote', 'set-url', 'origin', 'https://example.org/zoo/shop.git');
  const { scope } = device;
  const { store, graph } = scope.opened;
  const secrets = texts.filter((text) => findSecrets(text).length > 0);
  const planted: Planted[] = [];
  for (let at = 0; at < count; at++) planted.push(plant(at, secrets));
  for (let at = 0; at < count; at += 250) {
    const some = planted.slice(at, at + 250);
    const nodes = some.map(({ id, text }): Node => {
      const plain = {
        id,
        project: scope.project.id,
        kind: 'memory',
        text: 'x',
        data: { kind: 'semantic', knowledge: 'note' },
      };
      // As an older version stored it: not redacted.
      return { ...runNow(createNode(plain, graph.now())), text, source: `/home/ann/${id}`, hash: id };
    });
    await store.tx(async (tx) => {
      await insertNodes(tx, nodes);
      for (const level of sharedLevels) {
        const ids = some.filter((one) => one.level === level).map(({ id }) => id);
        await tx.run(sql`update node set level = ${level} where id in ${list(ids)}`);
      }
    });
  }
  const home = createFolder('sync');
  const sync = async () => {
    const results = [];
    for (const level of sharedLevels) {
      await chooseRemote(scope, level, remotes[level]);
      const place = openRemote(scope, level, remotes[level], { folder: home });
      const guard = () => openGuard(scope, level, place, { folder: home, signingKey: () => '' });
      const sharing = await openSharing(scope, level, 'Ann');
      results.push(await syncLog(scope.opened, sharing, { remote: place, openGuard: guard }));
    }
    return results;
  };
  const synced = await sync();
  const sent = synced.reduce((sum, one) => sum + one.sent, 0);
  const blocked = synced.flatMap((one) => one.blocked).length;
  const before = read(Object.values(remotes));
  const leaked = planted.flatMap(({ id, level, text, hidden, isBlocked }) => [
    ...hidden.filter((one) => before.includes(one)),
    // Those of the user's machines are there, but encrypted.
    ...(level !== 'team' || isBlocked ? [id, asJson(text)].filter((one) => before.includes(one)) : []),
  ]);
  const wrong = planted.filter(({ level, text, isBlocked }) => {
    const other = level === 'mine' ? remotes.team : remotes.mine;
    return level !== 'private' && !isBlocked && readOne(other).includes(asJson(text));
  });
  for (const { id, level, isBlocked } of planted) {
    if (level !== 'private' && !isBlocked) await unshareMemory(scope, (await graph.get(id)) as Node);
  }
  const after = await sync();
  for (const remote of Object.values(remotes)) git(remote, 'gc', '-q', '--prune=now');
  objects.clear();
  const rest = read(Object.values(remotes));
  const remaining = planted.filter(({ text }) => rest.includes(asJson(text))).length;
  for (const one of leaked) console.error(`leaked: ${one}`);
  const isRewritten = after.every(({ rewritten }) => rewritten);
  await device.services.close();
  removeFolders();
  const failed = leaked.length + wrong.length + remaining + (isRewritten ? 0 : 1);
  return {
    memories: count,
    sent,
    blocked,
    secrets: secrets.length,
    leaked: leaked.length,
    wrong: wrong.length,
    remaining,
    failed,
  };
}

function plant(at: number, secrets: readonly string[]): Planted {
  const id = createId('n');
  const level = levels[at % levels.length] as Planted['level'];
  const name = `word${at.toString(36)}x${id.slice(-6)}`;
  const kind = Math.floor(at / levels.length) % 4;
  if (kind === 0) {
    const text = secrets[Math.floor(at / 12) % secrets.length] as string;
    const hidden = findSecrets(text).map(({ start, end }) => text.slice(start, end));
    const written = hidden.map(asJson).filter((secret) => secret.length >= 8);
    return { id, level, text: `${text}\n\nSee ${name}.`, hidden: written, isBlocked: true };
  }
  if (kind === 1) {
    const path = `/home/person${at}/notes`;
    return { id, level, text: `The ${name} is in ${path}.`, hidden: [path], isBlocked: true };
  }
  return { id, level, text: `The ${name} is fed at noon.`, hidden: [`/home/ann/${id}`], isBlocked: false };
}

/** As a batch would have it. */
function asJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const objects = new Map<string, string>();

function readOne(remote: string): string {
  const known = objects.get(remote) ?? git(remote, 'cat-file', '--batch-all-objects', '--batch');
  objects.set(remote, known);
  return known;
}

function read(remotes: readonly string[]): string {
  return remotes.map(readOne).join('\n');
}
