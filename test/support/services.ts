// The product's services on a given database, called through the registry as every way in does.
import { createPlainCall, localCaller } from '../../src/core/call.ts';
import { createLog } from '../../src/core/log.ts';
import { Registry } from '../../src/core/registry/registry.ts';
import type { GraphAccess } from '../../src/graph/access.ts';
import { type GraphSettings, type OpenGraph, openGraphOn } from '../../src/graph/open.ts';
import { createFolders, type Folders } from '../../src/graph/project/grant.ts';
import { createServices, type ServiceOptions } from '../../src/services/index.ts';
import type { Database } from './databases.ts';

export interface Services {
  opened: OpenGraph;
  folders: Folders;
  registry: Registry;
  /** The structured result, whose shape the tool's own schema has been held to. */
  call(name: string, args?: object, folder?: string): Promise<Record<string, unknown>>;
  text(name: string, args?: object, folder?: string): Promise<string>;
  close(): Promise<void>;
}

/** Folders that may be named, and where clones are. */
export type ServiceSettings = NonNullable<ServiceOptions['repositories']> & { roots?: readonly string[] };

export async function openServices(
  database: Database,
  folder: string,
  settings?: GraphSettings,
  { roots = [], ...repositories }: ServiceSettings = {},
): Promise<Services> {
  const opened = await openGraphOn(await database.open(), settings);
  const access: GraphAccess = {
    location: database.name,
    engine: opened.store.dialect,
    exists: () => true,
    open: async () => opened,
    whenOpen: (listener) => listener(opened),
    query: (work) => work(opened),
    close: () => opened.close(),
  };
  const rules = { readOnly: false, permissions: {}, callTimeoutMs: 60_000, rateLimit: 1_000 };
  const registry = new Registry(rules, createLog('silent'));
  const folders = createFolders(access, { roots: () => roots, projects: () => 'write', own: [] });
  for (const service of createServices({ registry, graph: access, folders, repositories }))
    await registry.register(service);
  const run = async (name: string, args: object, place: string) =>
    registry.call(name, args, createPlainCall({ ...localCaller, folder: place }));
  return {
    opened,
    folders,
    registry,
    call: async (name, args = {}, place = folder) =>
      (await run(name, args, place)).structured as Record<string, unknown>,
    text: async (name, args = {}, place = folder) =>
      (await run(name, args, place)).content.map((block) => (block.type === 'text' ? block.text : '')).join('\n'),
    async close() {
      for (const { id } of registry.services()) await registry.unregister(id);
      await opened.close();
    },
  };
}
