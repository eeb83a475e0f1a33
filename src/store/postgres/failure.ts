// PostgreSQL's errors, by SQLSTATE and by Node's connection errors.
import type { LoreError } from '../../core/error.ts';
import { closed, type FailureText, held, toFailure } from '../failure.ts';

const unreachable: FailureText = { word: 'unavailable', state: 'it cannot be reached', hint: 'Is the server running?' };

/** By prefix of the code; the longest match applies. */
const postgresFailures: Record<string, FailureText> = {
  '08': unreachable,
  '25006': {
    word: 'forbidden',
    state: 'it cannot be written',
    hint: 'LORE_DB points to a read-only replica.',
  },
  '28': { word: 'forbidden', state: 'it rejects this user', hint: 'Check user and password in LORE_DB.' },
  '3D': { word: 'not_found', state: 'there is no such database', hint: 'Create it, or correct LORE_DB.' },
  '42501': { word: 'forbidden', state: 'this user may not do that', hint: 'Grant the user the rights to its schema.' },
  '53': { word: 'unavailable', state: 'it is out of disk space or memory', hint: 'Check its disk and its memory.' },
  '53300': { word: 'unavailable', state: 'it has no free connections', hint: 'Raise max_connections.' },
  '55P03': held,
  '57014': { word: 'timeout', state: 'it cancelled a query that took too long', hint: 'Raise its statement_timeout.' },
  '57P': { word: 'unavailable', state: 'it is starting or stopping', hint: 'Retry when it is running.' },
  POOL_ENDED: closed,
  XX00: { word: 'unavailable', state: 'its files are damaged', hint: 'Restore a backup.' },
  ERR_INVALID_URL: { word: 'invalid_input', state: 'it is not an address', hint: 'postgres://user:password@host/name' },
};

const lostConnection = /^(08|57P|E(CONN|HOST|NET)|ENOTFOUND|EPIPE|ETIMEDOUT|EAI_AGAIN|CONNECTION_|CONNECT_TIMEOUT)/;

function postgresCode(error: unknown): string {
  return String((error as { code?: unknown })?.code ?? '');
}

/** The connection is unusable. */
export function isLostConnection(error: unknown): boolean {
  return lostConnection.test(postgresCode(error));
}

/** A retry may help: the server is unreachable, starting, or out of connections. */
export function isAway(error: unknown): boolean {
  return isLostConnection(error) || postgresCode(error) === '53300';
}

/** The server reports that it is starting. */
export function isComing(error: unknown): boolean {
  return postgresCode(error) === '57P03';
}

/** A serialization failure or deadlock: the transaction can be retried. */
export function isCollision(error: unknown): boolean {
  return ['40001', '40P01'].includes(postgresCode(error));
}

export function toPostgresFailure(error: unknown, where: string): unknown {
  const code = postgresCode(error);
  const known = [code, code.slice(0, 4), code.slice(0, 3), code.slice(0, 2)].find((start) => start in postgresFailures);
  const failure = postgresFailures[known ?? ''] ?? (isLostConnection(error) ? unreachable : undefined);
  return failure ? toFailure(failure, where, error) : error;
}

/** The connection was lost during a change, so the outcome is unknown. */
export function toUnknownOutcome(error: unknown, where: string): LoreError {
  const state = 'the connection was lost during a commit, whose outcome is unknown';
  return toFailure(
    { word: 'unavailable', state, hint: 'Check whether the change was made before you retry.' },
    where,
    error,
  );
}
