// One request to an OpenAI-compatible embeddings endpoint. The endpoint is not trusted: response time, size and every number
// are checked, and its error texts go only to the log.
import { LoreError } from '../core/error.ts';
import { readRetryAfter } from '../core/outgoing/retry-after.ts';
import { type OutgoingResponse, send } from '../core/outgoing/send.ts';
import { redact } from '../core/secret/redact.ts';

export interface Endpoint {
  /** `/embeddings` is appended if it is missing. */
  url: string;
  model: string;
  /** Sent as a bearer token; empty for none. */
  key: string;
  /** Requested vector size; 0 for the model's default. */
  dimensions: number;
}

/** The kind of failure, which decides what to do next. */
export class EndpointFailure extends Error {
  /** `busy` and `away` are temporary, `refused` concerns these texts, `wrong` the endpoint or its settings. */
  readonly kind: 'busy' | 'away' | 'refused' | 'wrong';
  /** The delay that the endpoint asks for. */
  readonly waitMs: number | undefined;

  constructor(kind: EndpointFailure['kind'], message: string, waitMs?: number) {
    super(message);
    this.kind = kind;
    this.waitMs = waitMs;
  }
}

/** A decimal float takes about twenty bytes, and the largest models return about eight thousand. */
const bytesPerText = 256 * 1024;
const bytesAtLeast = 64 * 1024;
/** The caller's signal ends a request earlier. */
const longestMs = 600_000;

export function readEndpointUrl(given: string): URL {
  if (!URL.canParse(given))
    throw new LoreError('invalid_input', 'Cannot embed with the endpoint: its URL is not valid');
  const url = new URL(given);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/embeddings') ? path : `${path}/embeddings`;
  return url;
}

/** One vector per text, in the same order, all of the same size. */
export async function requestVectors(
  url: URL,
  { model, key, dimensions }: Endpoint,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<number[][]> {
  const body = { model, input: texts, encoding_format: 'float', ...(dimensions > 0 ? { dimensions } : {}) };
  const maxBytes = bytesAtLeast + texts.length * bytesPerText;
  let answer: OutgoingResponse;
  try {
    answer = await send(
      {
        method: 'POST',
        origin: url.origin,
        target: url.pathname + url.search,
        headers: [
          ['content-type', 'application/json'],
          ...(key === '' ? [] : ([['authorization', `Bearer ${key}`]] as const)),
        ],
        body: JSON.stringify(body),
      },
      // No redirects: texts and key must not go to another host. The user chose the endpoint, which may be on this machine.
      { reach: 'private', timeoutMs: longestMs, maxBytes, redirects: 0, signal },
    );
  } catch (error) {
    if (signal.aborted) throw new EndpointFailure('away', 'it did not answer in time');
    const { word, details } = error instanceof LoreError ? error : ({} as Partial<LoreError>);
    if (word === 'limit_exceeded') throw new EndpointFailure('wrong', `its response is longer than ${maxBytes} bytes`);
    throw new EndpointFailure('away', `it cannot be reached (${details?.code ?? word ?? 'internal'})`);
  }
  if (answer.status < 200 || answer.status > 299) throw judgeStatus(answer);
  return readVectors(answer.body.toString('utf8'), texts.length);
}

function judgeStatus(answer: OutgoingResponse): EndpointFailure {
  const { status, body } = answer;
  const message = `it answered ${status}: ${redact(body.toString('utf8', 0, 2_000))
    .text.replace(/\s+/g, ' ')
    .slice(0, 200)}`;
  if (status === 429 || status === 408 || status >= 500)
    return new EndpointFailure('busy', message, readRetryAfter(answer.headers['retry-after']));
  if (status === 400 || status === 413 || status === 422) return new EndpointFailure('refused', message);
  return new EndpointFailure('wrong', message);
}

function readVectors(content: string, count: number): number[][] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    throw new EndpointFailure('wrong', 'its response is not JSON');
  }
  const data = (parsed as { data?: unknown } | null)?.data;
  if (!Array.isArray(data)) throw new EndpointFailure('wrong', 'its response has no list of vectors');
  if (data.length !== count)
    throw new EndpointFailure('wrong', `it returned ${data.length} vectors for ${count} texts`);
  const vectors = new Array<number[] | undefined>(count).fill(undefined);
  for (const [place, entry] of (data as ({ index?: unknown; embedding?: unknown } | null)[]).entries()) {
    const index = entry?.index ?? place;
    const vector = entry?.embedding;
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= count || vectors[index as number]) {
      throw new EndpointFailure('wrong', `it returned index ${JSON.stringify(index)} of ${count}`);
    }
    if (!Array.isArray(vector) || vector.length === 0 || !vector.every(Number.isFinite)) {
      throw new EndpointFailure('wrong', 'it returned a vector that is not a list of finite numbers');
    }
    vectors[index as number] = vector;
  }
  const width = vectors[0]?.length;
  if (vectors.some((vector) => vector?.length !== width)) {
    throw new EndpointFailure('wrong', 'it returned vectors of different lengths');
  }
  return vectors as number[][];
}
