// The recent crashes of a server, in a file that all of our processes share: the delay before the next start grows with each, and
// after too many in a short time it is not started at all. Only a server that ran for a while starts anew.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LoreError } from '../../../core/error.ts';
import { FolderCache } from '../../../core/folder-cache.ts';

export interface Crash {
  readonly at: number;
  readonly state: string;
  /** Its last lines on stderr, redacted. */
  readonly tail: readonly string[];
}

const sustainedMs = 60_000;
const firstDelayMs = 500;
const longestDelayMs = 60_000;
const most = { crashes: 5, withinMs: 5 * 60_000 };
/** A shorter delay is waited for; a longer one is reported. */
export const longestWaitMs = 5_000;

const ending = '.crashes.json';

/** The crashes of all servers, by name; read again only if there are others. */
export function createCrashList(folder: string): FolderCache<ReadonlyMap<string, CrashRecord>> {
  const read = () => {
    const names = readdirSync(folder).filter((file) => file.endsWith(ending));
    return new Map(
      names.map((file) => file.slice(0, -ending.length)).map((name) => [name, new CrashRecord(folder, name)]),
    );
  };
  return new FolderCache<ReadonlyMap<string, CrashRecord>>(folder, read, new Map());
}

export class CrashRecord {
  readonly #file: string;

  constructor(folder: string, name: string) {
    this.#file = join(folder, `${name}${ending}`);
  }

  read(): readonly Crash[] {
    if (!existsSync(this.#file)) return [];
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8')) as Crash[];
    } catch {
      return [];
    }
  }

  /** `upMs` is the time since its start. */
  add(crash: Crash, upMs: number): void {
    const earlier = upMs >= sustainedMs ? [] : this.read();
    writeFileSync(this.#file, JSON.stringify([...earlier, crash].slice(-most.crashes)), { mode: 0o600 });
  }

  clear(): void {
    rmSync(this.#file, { force: true });
  }

  isBroken(now = Date.now()): boolean {
    const recent = this.read().filter(({ at }) => now - at < most.withinMs);
    return recent.length >= most.crashes;
  }

  /** Until the next start, in ms. The first crash delays nothing. */
  delay(now = Date.now()): number {
    const crashes = this.read();
    const last = crashes.at(-1);
    if (!last || crashes.length < 2) return 0;
    const pause = Math.min(longestDelayMs, firstDelayMs * 2 ** (crashes.length - 2));
    return Math.max(0, Math.min(pause, last.at + pause - now));
  }
}

/** Its last words are data: they are not ours. */
export function crashError(name: string, crashes: readonly Crash[], hint: string): LoreError {
  const last = crashes.at(-1);
  const times = crashes.length === 1 ? 'once' : `${crashes.length} times`;
  return new LoreError(
    'unavailable',
    `Cannot reach server "${name}": it crashed ${times}, and ${last?.state ?? 'ended'}`,
    {
      hint,
      details: { stderr: (last?.tail ?? []).join('\n') },
    },
  );
}
