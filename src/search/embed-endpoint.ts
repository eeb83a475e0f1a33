// One request to an embeddings endpoint of OpenAI's shape, and what may be believed of its answer. An endpoint is somebody
// else's machine: its time, its size and every number it sends are checked, and its own words go to the log alone.
import { LoreError } from '../core/error.ts';
import { redact } from '../core/secret/redact.ts';

export interface Endpoint {
  /** `/embeddings` is added where it does not end so. */
  url: string;
  model: string;
  /** Sent as a bearer token; empty for none. */
  key: string;
  /** Asked of the model; 0 for as many as it has. */
  dimensions: number;
}

/** Why a request failed, as far as it decides what to do next. */
export class EndpointFailure extends Error {
  /** `busy` and `away` may pass by themselves, `refused` means these texts, `wrong` the whole endpoint or its settings. */
  readonly kind: 'busy' | 'away' | 'refused' | 'wrong';
  /** How long the endpoint asks to be left alone. */
  readonly waitMs: number | undefined;

  constructor(kind: EndpointFailure['kind'], message: string, waitMs?: number) {
    super(message);
    this.kind = kind;
    this.waitMs = waitMs;
  }
}

/** A float in decimal is about twenty bytes, and the widest models have some eight thousand. */
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

/** One vector a text, in the order of the texts, all of one length. */
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
      // Texts and key are meant for this host and no other.
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
    // Leaving the loop also ends the transfer.
    if (size > most) throw new EndpointFailure('wrong', `its response is longer than ${most} bytes`);
    parts.push(part as Uint8Array);
  }
  return Buffer.concat(parts).toString('utf8');
}

function judgeStatus(answer: Response, content: string): EndpointFailure {
  const { status } = answer;
  const said = `it answered ${status}: ${redact(content.slice(0, 2_000)).text.replace(/\s+/g, ' ').slice(0, 200)}`;
  if (status === 429 || status === 408 || status >= 500) return new EndpointFailure('busy', said, readWait(answer));
  if (status === 400 || status === 413 || status === 422) return new EndpointFailure('refused', said);
  return new EndpointFailure('wrong', said);
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

/** `ECONNREFUSED` and the like; fetch itself only says that it failed. */
function nameCause(error: unknown): string {
  const cause = (error as { cause?: { code?: unknown; message?: unknown } }).cause;
  return String(cause?.code ?? cause?.message ?? (error as Error).message).slice(0, 100);
}
