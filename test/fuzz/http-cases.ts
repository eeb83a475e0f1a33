// One HTTP request for a case number: a good one with exactly one thing wrong, so that what it must be answered with is
// known. Bodies come from the generator of lines and are judged by the same model.

import { bodyFaults } from './faults-body.ts';
import { framingFaults } from './faults-framing.ts';
import { headerFaults } from './faults-header.ts';
import { type HttpRequest, postTo, writeRequest } from './http-message.ts';
import type { Ground } from './model.ts';
import { createRandom, type Random } from './random.ts';

export interface Expected {
  status: number | readonly number[];
  /** In the model's words; absent where the body does not matter. */
  outcome?: string | undefined;
  /** The server must end the connection; otherwise it must keep it. */
  closes?: boolean;
}

export interface HttpCase {
  number: number;
  kind: string;
  bytes: Buffer;
  /** One for each answer that must come; none where the connection is simply ended. */
  expected: Expected[];
  /** Nothing more is sent after the bytes. */
  finishes?: boolean;
}

/** What the cases of a run know of the server they go to. */
export interface Surroundings {
  ground: Ground;
  /** A session of a revision that fits the ground. */
  sessionId: string;
  seed: number;
}

export interface Fault {
  weight: number;
  kind: string;
  make(random: Random, number: number, around: Surroundings): Omit<HttpCase, 'number' | 'kind'>;
}

const faults: Fault[] = [...bodyFaults, ...headerFaults, ...framingFaults];
const totalWeight = faults.reduce((sum, { weight }) => sum + weight, 0);

export function makeHttpCase(number: number, around: Surroundings): HttpCase {
  const random = createRandom(around.seed + 1, number);
  let point = (random.int(1e6) / 1e6) * totalWeight;
  const fault = faults.find(({ weight }) => {
    point -= weight;
    return point < 0;
  });
  if (!fault) throw new Error('the weights do not add up');
  return { number, kind: fault.kind, ...fault.make(random, number, around) };
}

export const pingBody = Buffer.from('{"jsonrpc":"2.0","id":"p","method":"ping"}');

/** A request that would be served. */
export function goodRequest({ sessionId }: Pick<Surroundings, 'sessionId'>, body: Buffer = pingBody): HttpRequest {
  return postTo('/mcp', body, [['Mcp-Session-Id', sessionId]]);
}

export function refused(request: HttpRequest, status: Expected['status'], more: Partial<Expected> = {}) {
  return { bytes: writeRequest(request), expected: [{ status, ...more }] };
}
