// One request to an OpenAI-compatible embeddings endpoint. The endpoint is not trusted: response time, size and every number
// are checked, and its error texts go only to the log.
import { LoreError } from '../core/error.ts';
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
  let answer: Response;
  let content: string;
  try {
    answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key === '' ? {} : { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
      // No redirects: texts and key must not go to another host.
      redirect: 'error',
      signal,
    });
    content = await readBody(answer, bytesAtLeast + texts.length * bytesPerText);
  } catch (error) {
    if (error instanceof EndpointFailure) throw error;
    if (signal.aborted) throw new EndpointFailure('away', 'it did not answer in time');
    throw new EndpointFailure('away', `it cannot be reached (${nameCause(error)})`);
  }
  if (!answer.ok) throw judgeStatus(answer, content);
  return readVectors(content, texts.length);
}

async function readBody(answer: Response, most: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += (part as Uint8Array).length;
    // Leaving the loop also aborts the transfer.
    if (size > most) throw new EndpointFailure('wrong', `its response is longer than ${most} bytes`);
    parts.push(part as Uint8Array);
  }
  return Buffer.concat(parts).toString('utf8');
}

function judgeStatus(answer: Response, content: string): EndpointFailure {
  const { status } = answer;
  const message = `it answered ${status}: ${redact(content.slice(0, 2_000)).text.replace(/\s+/g, ' ').slice(0, 200)}`;
  if (status === 429 || status === 408 || status >= 500) return new EndpointFailure('busy', message, readWait(answer));
  if (status === 400 || status === 413 || status === 422) return new EndpointFailure('refused', message);
  return new EndpointFailure('wrong', message);
}

/** Seconds, or a date. */
function readWait(answer: Response): number | undefined {
  const given = answer.headers.get('retry-after');
  if (given === null || given.trim() === '') return undefined;
  const wait = /^\d+(\.\d+)?$/.test(given.trim()) ? Number(given) * 1000 : Date.parse(given) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
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

/** The error code, such as `ECONNREFUSED`; the message of fetch does not contain it. */
function nameCause(error: unknown): string {
  const cause = (error as { cause?: { code?: unknown; message?: unknown } }).cause;
  return String(cause?.code ?? cause?.message ?? (error as Error).message).slice(0, 100);
}
