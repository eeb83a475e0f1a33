// lore mount import: moves the MCP servers of an agent program behind us, and back again.
import type { AgentLocation, ServerPart, TablePart } from '../agents/agent.ts';
import { agents } from '../agents/agents.ts';
import { expectWritable, readConfigFile, writeConfigFile } from '../agents/config-file.ts';
import {
  type ForeignEntry,
  listForeignEntries,
  removeForeignEntry,
  restoreForeignEntry,
} from '../agents/move-entries.ts';
import type { Invocation } from '../core/command.ts';
import { LoreError } from '../core/error.ts';
import { isObject } from '../core/schema.ts';
import { credentialName, type Gateway } from '../services/gateway/gateway.ts';
import type { Mount } from '../services/gateway/mount/mount.ts';
import { findPlace } from './programs.ts';

/** An entry that was moved, and the mount that it became. */
interface MovedEntry extends ForeignEntry {
  readonly file: string;
  readonly mount: string;
}

/** Records of moved entries are stored like credentials, since they may contain some. */
const recordOwner = 'import';

export async function importServers(
  gateway: Gateway,
  id: string,
  wanted: readonly string[],
  { options, output }: Invocation,
): Promise<number> {
  const parts = partsOf(id, findPlace());
  const done = options.undo === true ? await putBack(gateway, id, parts) : await move(gateway, id, parts, wanted);
  if (output.json) output.printJson(done);
  else if (done.length === 0) output.print(`${id} has no other MCP server.`);
  else for (const { name, text } of done) output.print(`${name}: ${text}`);
  return done.some(({ isDone }) => !isDone) ? 1 : 0;
}

interface Report {
  name: string;
  text: string;
  isDone: boolean;
}

function partsOf(id: string, place: AgentLocation): (ServerPart | TablePart)[] {
  const agent = agents.find((one) => one.id === id);
  const parts = agent?.scopes.user?.(place) ?? [];
  const found = parts.filter((part): part is ServerPart | TablePart => part.kind !== 'hooks');
  if (found.length > 0) return found;
  throw new LoreError('invalid_input', `Cannot import from "${id}": expected a program`, {
    hint: `Programs: ${agents.map((one) => one.id).join(', ')}.`,
  });
}

async function move(
  gateway: Gateway,
  id: string,
  parts: readonly (ServerPart | TablePart)[],
  wanted: readonly string[],
): Promise<Report[]> {
  const reports: Report[] = [];
  for (const part of parts) {
    const config = readConfigFile(part.file);
    const entries = listForeignEntries(part, config.text).filter(
      ({ name }) => wanted.length === 0 || wanted.includes(name),
    );
    if (entries.length > 0) expectWritable(config);
    for (const entry of entries) {
      try {
        const { mount, secrets } = toMount(gateway, entry);
        await gateway.add(mount, secrets);
        // The record first: an entry that is gone must be known.
        await saveRecord(gateway, id, [
          ...(await readRecord(gateway, id)),
          { ...entry, file: part.file, mount: mount.name },
        ]);
        const now = readConfigFile(part.file);
        writeConfigFile(now, Buffer.from(removeForeignEntry(part, now.text, entry.name)));
        reports.push({ name: entry.name, text: `moved, as mount ${mount.name}`, isDone: true });
      } catch (error) {
        if (!(error instanceof LoreError)) throw error;
        reports.push({ name: entry.name, text: `not moved. ${error.message}`, isDone: false });
      }
    }
  }
  return reports;
}

async function putBack(gateway: Gateway, id: string, parts: readonly (ServerPart | TablePart)[]): Promise<Report[]> {
  const record = await readRecord(gateway, id);
  for (const entry of record) {
    const part = parts.find(({ file }) => file === entry.file);
    if (!part) continue;
    const config = readConfigFile(part.file);
    expectWritable(config);
    writeConfigFile(config, Buffer.from(restoreForeignEntry(part, config.text, entry)));
    if (gateway.store.find(entry.mount)) await gateway.remove(entry.mount);
  }
  await gateway.credentials.remove(recordOwner, id);
  return record.map(({ name }) => ({ name, text: 'moved back', isDone: true }));
}

async function readRecord(gateway: Gateway, id: string): Promise<MovedEntry[]> {
  const found = (await gateway.credentials.list(recordOwner)).find(({ name }) => name === id);
  return found?.value === undefined ? [] : (JSON.parse(found.value) as MovedEntry[]);
}

async function saveRecord(gateway: Gateway, id: string, record: readonly MovedEntry[]): Promise<void> {
  await gateway.credentials.put(recordOwner, { name: id, origin: '', value: JSON.stringify(record) });
}

function toMount(
  gateway: Gateway,
  { name: given, entry }: ForeignEntry,
): { mount: Mount; secrets: Record<string, string> } {
  const name = chooseName(gateway, given);
  const { command, args, env, cwd } = entry;
  if (/\$\{/.test(JSON.stringify(entry)))
    throw new LoreError('invalid_input', `Cannot mount "${given}": its entry contains variables of the program`);
  const variables = isObject(env) ? Object.entries(env).map(([key, value]) => [key, String(value)] as const) : [];
  const common = { name, addedAt: Date.now() };
  if (typeof command === 'string') {
    const words = Array.isArray(args) ? args.map(String) : [];
    return {
      mount: {
        ...common,
        command: {
          program: command,
          args: words,
          ...(typeof cwd === 'string' && { folder: cwd }),
          ...(variables.length > 0 && { env: variables.map(([key]) => key) }),
        },
      },
      secrets: Object.fromEntries(variables.map(([key, value]) => [credentialName('env', key), value])),
    };
  }
  const url = [entry.url, entry.httpUrl, entry.serverUrl].find((one) => typeof one === 'string');
  if (typeof url !== 'string')
    throw new LoreError('invalid_input', `Cannot mount "${given}": it has no command and no address`);
  const headers = isObject(entry.headers)
    ? Object.entries(entry.headers).map(([key, value]) => [key, String(value)] as const)
    : [];
  return {
    mount: { ...common, url, ...(headers.length > 0 && { headers: headers.map(([key]) => key) }) },
    secrets: Object.fromEntries(headers.map(([key, value]) => [credentialName('header', key), value])),
  };
}

/** Names of mounts are short; a taken one gets a number. */
function chooseName(gateway: Gateway, given: string): string {
  const plain =
    given
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
      .replace(/^\d+/, '')
      .slice(0, 12) || 'server';
  for (let number = 1; ; number++) {
    const name = number === 1 ? plain : `${plain.slice(0, 10)}${number}`;
    if (!gateway.store.find(name)) return name;
  }
}
