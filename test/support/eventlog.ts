// The event log behind the registry, with a reader of the test's choice, and what a client does with its pages.
import { join } from 'node:path';
import { createPlainCall, localCaller } from '../../src/core/call.ts';
import { createLog } from '../../src/core/log.ts';
import { Registry } from '../../src/core/registry/registry.ts';
import { createGraphAccess } from '../../src/graph/access.ts';
import { createFolders } from '../../src/graph/project/grant.ts';
import type { Page } from '../../src/services/system/eventlog/page.ts';
import type { LogReader } from '../../src/services/system/eventlog/reader.ts';
import { createSystemServices } from '../../src/services/system/service.ts';
import { nothingSet, type SystemSettings } from '../../src/services/system/settings.ts';
import { createFolder } from './folder.ts';

const allowed = {
  readOnly: false,
  permissions: { eventlog: 'read' as const },
  callTimeoutMs: 60_000,
  rateLimit: 1_000,
};

export async function openEventLog(reader: LogReader, settings: Partial<SystemSettings> = {}, timeoutMs = 20_000) {
  const folder = createFolder('eventlog');
  const access = createGraphAccess(join(folder, 'lore.db'));
  const registry = new Registry(allowed, createLog('silent'));
  const eventlog = { openReader: async () => reader, timeoutMs };
  const options = { settings: { ...nothingSet, ...settings }, eventlog };
  for (const service of createSystemServices(access, createFolders(access), options)) await registry.register(service);
  const run = async (name: string, args: object) => registry.call(name, args, createPlainCall(localCaller));
  return {
    folder,
    registry,
    query: async (logName: string, args: object = {}) =>
      (await run('eventlog_query', { logName, ...args })).structured as Page,
    text: async (logName: string, args: object = {}) =>
      JSON.stringify((await run('eventlog_query', { logName, ...args })).content),
    logs: async () =>
      ((await run('eventlog_list_logs', {})).structured as { logs: { name: string }[] }).logs.map(({ name }) => name),
  };
}

export const messages = ({ entries }: Page) => entries.map(({ message }) => message);

/** All pages by cursor, as a client reads them. */
export async function readAll(query: (args: object) => Promise<Page>, args: object): Promise<Page[]> {
  const pages = [await query(args)];
  for (let next = pages[0]?.next_cursor; next !== undefined; next = pages.at(-1)?.next_cursor) {
    pages.push(await query({ ...args, cursor: next }));
  }
  return pages;
}

/** Names that are no log, and would be an option, a path or a command if anybody took them for one. */
export const injections = [
  '--file=/etc/passwd',
  '-D /tmp',
  '--root=/',
  '--directory=/tmp',
  '-M root',
  '--image=/dev/sda',
  'unit:--file=/etc/passwd',
  'unit:-D',
  'unit:*',
  'unit:ssh.service --file=/etc/passwd',
  'unit:ssh.service\n--file=x',
  'unit:../../etc/passwd',
  'boot:--file=/etc/passwd',
  'boot:0 -D /tmp',
  'boot:all',
  'boot:-1;id',
  '../../etc/shadow',
  '/etc/shadow',
  'syslog/../../etc/shadow',
  'syslog\0.txt',
  'auth.log/../shadow',
  '$(id)',
  '`id`',
  'system;id',
  'system|id',
  '__proto__',
  'constructor',
  'toString',
  '%SystemRoot%',
  '/r:evil',
  'System /r:evil',
  'a'.repeat(300),
];
