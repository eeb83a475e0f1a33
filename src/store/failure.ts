// What went wrong with a database, in our words: its own would mean nothing to a model and may tell too much.
import { type ErrorWord, LoreError } from '../core/error.ts';

interface Told {
  word: ErrorWord;
  state: string;
  hint: string;
}

/** SQLite's primary result codes. */
const sqliteFailures: Record<number, Told> = {
  5: { word: 'unavailable', state: 'another process holds it', hint: 'Try again when that process has finished.' },
  8: { word: 'forbidden', state: 'it cannot be written', hint: 'Check the permissions of the file and its folder.' },
  10: { word: 'unavailable', state: 'the disk failed', hint: 'Check the disk; nothing acknowledged has been lost.' },
  11: { word: 'unavailable', state: 'the file is damaged', hint: 'Restore a backup made with lore backup.' },
  13: { word: 'unavailable', state: 'the disk is full', hint: 'Make room; nothing acknowledged has been lost.' },
  14: { word: 'unavailable', state: 'it cannot be opened', hint: 'Check that its folder exists and can be written.' },
  26: { word: 'unavailable', state: 'it is not a database', hint: 'LORE_DB names a file of another kind.' },
};

export const sqliteBusy = 5;

export function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown })?.errcode;
  return typeof code === 'number' ? code & 0xff : undefined;
}

export function toSqliteFailure(error: unknown, path: string): unknown {
  const told = sqliteFailures[sqliteCode(error) ?? 0];
  if (!told) return error;
  return new LoreError(told.word, `Cannot use database "${path}": ${told.state}`, { hint: told.hint, cause: error });
}

/** PostgreSQL's classes of SQLSTATE, and the codes of a connection that is not there. */
const postgresFailures: Record<string, Told> = {
  '28': { word: 'forbidden', state: 'it refuses this user', hint: 'Check user and password in LORE_DB.' },
  '3D': { word: 'not_found', state: 'there is no such database', hint: 'Create it, or correct LORE_DB.' },
  '53': { word: 'unavailable', state: 'it has no room left', hint: 'Check its disk and its connection limit.' },
  '57': { word: 'unavailable', state: 'it is shutting down', hint: 'Try again when it is up.' },
};

const lostConnections = /^(08|ECONN|ENOTFOUND|EPIPE|ETIMEDOUT|EAI_AGAIN|CONNECTION_|CONNECT_TIMEOUT)/;

export function isLostConnection(error: unknown): boolean {
  const code = String((error as { code?: unknown })?.code ?? '');
  return lostConnections.test(code) || code.startsWith('57P');
}

export function toPostgresFailure(error: unknown, where: string): unknown {
  const code = String((error as { code?: unknown })?.code ?? '');
  const unreachable: Told = { word: 'unavailable', state: 'it cannot be reached', hint: 'Is the server running?' };
  const told = lostConnections.test(code) ? unreachable : postgresFailures[code.slice(0, 2)];
  if (!told) return error;
  return new LoreError(told.word, `Cannot use database "${where}": ${told.state}`, { hint: told.hint, cause: error });
}
