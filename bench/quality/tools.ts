// The product's tools on a database of their own, called through the registry as every way in does, at a time of the
// bench's choosing: conversations are lived through on the days they have.
import { rmSync } from 'node:fs';
import { createPlainCall, localCaller } from '../../src/core/call.ts';
import { createLog } from '../../src/core/log.ts';
import { Registry } from '../../src/core/registry/registry.ts';
import type { GraphAccess } from '../../src/graph/access.ts';
import { type OpenGraph, openGraphOn } from '../../src/graph/open.ts';
import { createFolders } from '../../src/graph/project/grant.ts';
import { identifyFolder } from '../../src/graph/project/project.ts';
import { compactIndex } from '../../src/search/compact.ts';
import { createServices } from '../../src/services/index.ts';
import { openSqlite } from '../../src/store/sqlite/sqlite.ts';

export interface Tools {
  opened: OpenGraph;
  project: string;
  /** What the tools take for the time from now on. */
  setTime(at: number): void;
  /** The structured result. */
  call<T>(name: string, args: object): Promise<T>;
  /** Waits for what goes on in the background, the index's own work included. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** @param folder stands for the project */
export async function openTools(path: string, folder: string): Promise<Tools> {
  let now = Date.now();
  let calls = 0;
  const opened = await openGraphOn(await openSqlite(path), {
    now: () => now,
    // With as much time as the deep ranking needs, so that the figures do not depend on the machine.
    rank: () => ({ mode: process.env.LORE_RANK === 'deep' ? 'deep' : 'fast', budgetMs: 60_000 }),
  });
  const access: GraphAccess = {
    location: path,
    engine: 'sqlite',
    exists: () => true,
    open: async () => opened,
    whenOpen: (listener) => listener(opened),
    query: (work) => work(opened),
    close: () => opened.close(),
  };
  const rules = { readOnly: false, permissions: {}, callTimeoutMs: 60_000, rateLimit: Number.MAX_SAFE_INTEGER };
  const registry = new Registry(rules, createLog('silent'));
  for (const service of createServices({ registry, graph: access, folders: createFolders(access) }))
    await registry.register(service);
  return {
    opened,
    project: identifyFolder(folder).claim,
    setTime(at) {
      now = at;
    },
    async call<T>(name: string, args: object) {
      // One after the other and without a pause, calls would leave the index no time for its own work.
      if (++calls % 250 === 0) while (await compactIndex(opened.store));
      return (await registry.call(name, args, createPlainCall({ ...localCaller, folder }))).structured as T;
    },
    async settle() {
      await opened.worker.idle();
      while (await compactIndex(opened.store));
    },
    async close() {
      for (const { id } of registry.services()) await registry.unregister(id);
      await opened.close();
    },
  };
}

export function removeDatabase(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
}
