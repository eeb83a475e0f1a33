// How soon a change is seen elsewhere: from the response of a change on one server to the notification by another. In the same
// time, what nobody can be faster than here: a bare NOTIFY from one connection to another, and a ping to a server.
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import type { TeamClient } from './client.ts';
import type { OpenClient, TeamServer } from './servers.ts';
import { percentiles } from './stats.ts';

export interface ProbeOptions {
  team: readonly TeamServer[];
  tenants: readonly string[];
  open: OpenClient;
  /** Changes of each tenant at least; more until `until`. */
  times: number;
  until?: Promise<unknown>;
  /** The address of a database for the bare NOTIFY. */
  admin: string;
}

/** Between two probes, so that they do not meet the same part of a period. */
const between = () => pause(20 + Math.random() * 60);

export async function probeAll({ team, tenants, open, times, until, admin }: ProbeOptions) {
  let isOver = until === undefined;
  void until?.then(() => {
    isOver = true;
  });
  const continues = (count: number) => !isOver || count < times;
  const urlAt = (at: number) => (team[at % team.length] as TeamServer).url;
  const all = tenants.map(async (tenant, at) => {
    const watched = await watch(await open(urlAt(at), tenant, 'probe'), await open(urlAt(at + 1), tenant, 'probe'));
    const taken: number[] = [];
    while (continues(taken.length)) {
      taken.push(await watched.change());
      await between();
    }
    watched.end();
    return taken;
  });
  const [seen, bareNotify, ping] = await Promise.all([
    Promise.all(all),
    timeNotify(admin, continues),
    timePing(await open(urlAt(0), tenants[0] as string, 'ping'), continues),
  ]);
  return {
    seenElsewhereMs: percentiles(seen.flat()),
    floorMs: { bareNotify: percentiles(bareNotify), ping: percentiles(ping) },
  };
}

/** A memory that one client changes and another watches. */
export async function watch(writer: TeamClient, reader: TeamClient) {
  const stored = await writer.call('remember', { content: `The probe ${Math.random()} is watched by another server.` });
  const id = /\bn_\w+/.exec(stored)?.[0] as string;
  const { error } = await reader.request('resources/subscribe', { uri: `lore://memory/${id}` });
  if (error) throw new Error(error.message);
  const ending = new AbortController();
  const notes = reader.listen(ending.signal);
  const readNext = () => {
    const note = notes.next();
    // The stream may end first.
    note.catch(() => {});
    return note;
  };
  let next = readNext();
  let isForgotten = false;
  return {
    /** From the response to the notification, in ms; 0 if it comes first. */
    async change(): Promise<number> {
      await writer.call('forget', { id, undo: isForgotten });
      const changed = performance.now();
      isForgotten = !isForgotten;
      await next;
      const taken = performance.now() - changed;
      next = readNext();
      return Math.max(0, taken);
    },
    end: () => ending.abort(),
  };
}

async function timeNotify(url: string, continues: (count: number) => boolean): Promise<number[]> {
  const [sending, listening] = [postgres(url, { max: 1 }), postgres(url, { max: 1 })];
  const taken: number[] = [];
  let arrive = () => {};
  await listening.listen('bench', () => arrive());
  while (continues(taken.length)) {
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const start = performance.now();
    await Promise.all([sending.notify('bench', ''), arrived]);
    taken.push(performance.now() - start);
    await between();
  }
  await Promise.all([sending.end({ timeout: 0 }), listening.end({ timeout: 0 })]);
  return taken;
}

async function timePing(client: TeamClient, continues: (count: number) => boolean): Promise<number[]> {
  const taken: number[] = [];
  while (continues(taken.length)) {
    const start = performance.now();
    await client.request('ping', {});
    taken.push(performance.now() - start);
    await between();
  }
  return taken;
}
