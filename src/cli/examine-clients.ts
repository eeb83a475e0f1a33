// Finds entries of agents' settings that reach another server or database than this installation's.
import { resolve } from 'node:path';
import { scopes } from '../agents/agent.ts';
import { agents } from '../agents/agents.ts';
import { readConfigFile } from '../agents/config-file.ts';
import { listOurEntries, type ServerEntry } from '../agents/entries.ts';
import { loadConfig } from '../config/load.ts';
import type { Settings } from '../config/settings.ts';
import { defaultLocation, describeLocation, isShared } from '../core/location.ts';
import { findPlace } from './programs.ts';

export interface ClientEntry {
  program: string;
  file: string;
  name: string;
  /** What is wrong with it. */
  problem?: string;
}

export function examineClients(settings: Settings): ClientEntry[] {
  const place = findPlace();
  const parts = agents.flatMap(({ title, scopes: own }) =>
    scopes.flatMap((scope) => (own[scope]?.(place) ?? []).map((part) => ({ program: title, part }))),
  );
  return parts.flatMap(({ program, part }) => {
    if (part.kind === 'hooks') return [];
    const { file } = part;
    try {
      return listOurEntries(part, readConfigFile(file).text).map((entry) => {
        const problem = entry.url === undefined ? judgeDatabase(entry, settings) : judgeAddress(entry.url, settings);
        return { program, file, name: entry.name, ...(problem !== undefined && { problem }) };
      });
    } catch {
      // lore install reports files that cannot be read.
      return [];
    }
  });
}

function judgeAddress(url: string, { port }: Settings): string | undefined {
  if (!URL.canParse(url)) return `its address "${url}" is not a URL`;
  const { hostname, port: given, protocol } = new URL(url);
  const theirs = Number(given) || (protocol === 'https:' ? 443 : 80);
  if (!/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname) || theirs === port) return undefined;
  return `it connects to port ${theirs}, but lore serve uses port ${port}`;
}

function judgeDatabase({ env }: ServerEntry, { db }: Settings): string | undefined {
  const { LORE_DB: _, CONTEXTGRAPH_DB: __, LORE_CONFIG: ___, ...rest } = process.env;
  const [theirs, ours] = [loadConfig({ env: { ...rest, ...env } }).values.db, db].map(locate);
  if (theirs === ours) return undefined;
  return `it uses the database ${describeLocation(theirs ?? '')}, but this shell uses ${describeLocation(ours ?? '')}. Run lore install again to write LORE_DB`;
}

function locate(db: string): string {
  return isShared(db) ? db : resolve(db || defaultLocation());
}
