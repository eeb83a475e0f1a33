// Tries one HTTP case over a connection that earlier cases may have used, and says what is wrong with the answers.
import { describeText } from './answers.ts';
import type { Expected, HttpCase } from './http-cases.ts';
import { openConnection, type RawConnection, type RawResponse } from './raw-connection.ts';

interface HttpTarget {
  /** What is wrong, or nothing. */
  try(given: HttpCase): Promise<string | undefined>;
  close(): void;
}

/** Far beyond what any answer takes: only an answer that never comes waits so long. */
const timeoutMs = 10_000;

export function createHttpTarget(port: number): HttpTarget {
  let connection: RawConnection | undefined;

  async function exchange({ bytes, expected, finishes }: HttpCase): Promise<string | undefined> {
    connection = connection?.open ? connection : await openConnection(port);
    connection.send(bytes);
    if (finishes) connection.finish();
    for (const wanted of expected) {
      const problem = compare(wanted, await connection.receive());
      if (problem !== undefined) return problem;
      if (wanted.closes) await connection.closed();
    }
    return undefined;
  }

  return {
    async try(given) {
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<string>((resolve) => {
        timer = setTimeout(resolve, timeoutMs, `no answer, or no end of the connection, within ${timeoutMs} ms`);
      });
      const problem = await Promise.race([exchange(given), patience]);
      clearTimeout(timer);
      if (problem !== undefined || given.finishes || given.expected.at(-1)?.closes) {
        connection?.destroy();
        connection = undefined;
      }
      return problem;
    },
    close: () => connection?.destroy(),
  };
}

function compare({ status, outcome, closes }: Expected, response: RawResponse | 'closed'): string | undefined {
  const statuses = typeof status === 'number' ? [status] : status;
  // Where a connection must end anyway, ending it without a word is as good.
  if (response === 'closed') return closes ? undefined : `expected ${statuses.join(' or ')}, the connection was closed`;
  if (!statuses.includes(response.status)) {
    return `expected ${statuses.join(' or ')}, received ${response.status} ${response.body.slice(0, 200)}`;
  }
  if (outcome === undefined) return undefined;
  const received = response.body === '' ? 'nothing' : describeText(response.body);
  return received === outcome ? undefined : `expected ${outcome}, received ${received}`;
}
