// An embedder that uses an OpenAI-compatible endpoint. Texts are redacted and sent in batches, a few at a time; vectors are
// normalised to int8. The id is known after the first response, because it contains the vector size: vectors of different
// sizes must not share an id.
import { setTimeout as sleep } from 'node:timers/promises';
import { LoreError } from '../core/error.ts';
import type { Log } from '../core/log.ts';
import { redact } from '../core/secret/redact.ts';
import { roundVector } from './embed.ts';
import { createBreaker } from './embed-breaker.ts';
import { type Endpoint, EndpointFailure, readEndpointUrl, requestVectors } from './embed-endpoint.ts';

export interface RemoteOptions extends Endpoint {
  /** Timeout for queries, in ms; documents have more time. */
  timeoutMs: number;
  log?: Pick<Log, 'warn'> | undefined;
  now?: () => number;
}

export interface RemoteEmbedder {
  /** Empty before the first response. */
  readonly id: string;
  readonly remote: true;
  embed(texts: readonly string[], use: 'query' | 'document'): Promise<Int8Array[]>;
  /** Aborts running requests. */
  close(): void;
}

const batchTexts = 32;
const batchCharacters = 64_000;
const parallelBatches = 4;
/** About the context of common models; endpoints truncate or refuse longer texts. */
const longestText = 24_000;
const documentTimeoutMs = 60_000;
const tries = { query: 2, document: 4 };
const longestWaitMs = 20_000;
const halvings = 4;
const logEveryMs = 60_000;
/** The SIMD code processes sixteen numbers at a time. */
const lanes = 32;

export function createRemoteEmbedder(options: RemoteOptions): RemoteEmbedder {
  const { model, timeoutMs, log, now = Date.now } = options;
  const url = readEndpointUrl(options.url);
  const breaker = createBreaker(now);
  const closing = new AbortController();
  let width = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;

  function learnWidth(found: number): void {
    const expected = width || options.dimensions;
    if (expected > 0 && found !== expected) {
      throw new EndpointFailure('wrong', `its vectors have ${found} numbers instead of ${expected}`);
    }
    width = found;
  }

  function report({ message }: Error): void {
    if (now() - loggedAt < logEveryMs) return;
    loggedAt = now();
    log?.warn('embedding_failed', { endpoint: url.host, model, problem: message });
  }

  async function request(texts: readonly string[], use: 'query' | 'document', deadline: AbortSignal) {
    for (let round = 1; ; round++) {
      const signal =
        use === 'query'
          ? deadline
          : AbortSignal.any([deadline, AbortSignal.timeout(Math.max(timeoutMs, documentTimeoutMs))]);
      try {
        const vectors = await requestVectors(url, options, texts, signal);
        learnWidth(vectors[0]?.length ?? 0);
        return vectors;
      } catch (error) {
        if (!(error instanceof EndpointFailure) || deadline.aborted || round === tries[use]) throw error;
        // A query does not wait for an endpoint that is unavailable or slow.
        const wait = error.waitMs ?? 250 * 2 ** round * (0.5 + Math.random());
        const passes = error.kind === 'busy' || (error.kind === 'away' && use === 'document');
        if (!passes || (use === 'query' && wait > timeoutMs / 2)) throw error;
        await sleep(Math.min(wait, longestWaitMs), undefined, { signal: deadline });
      }
    }
  }

  /** Halves a refused batch, then a refused text. A text that is refused while others pass gets an empty vector. */
  async function requestInParts(
    texts: readonly string[],
    use: 'query' | 'document',
    deadline: AbortSignal,
    depth = 0,
  ): Promise<number[][]> {
    try {
      return await request(texts, use, deadline);
    } catch (error) {
      // A refusal before the first response points to the settings.
      if (!(error instanceof EndpointFailure) || error.kind !== 'refused' || width === 0) throw error;
      const again = (some: readonly string[], next: number) => requestInParts(some, use, deadline, next);
      if (texts.length > 1) {
        const half = texts.length >> 1;
        return [...(await again(texts.slice(0, half), depth)), ...(await again(texts.slice(half), depth))];
      }
      const text = texts[0] as string;
      if (depth < halvings && text.length > 1) return again([text.slice(0, text.length >> 1)], depth + 1);
      await request(['text'], use, deadline);
      return [new Array<number>(width).fill(0)];
    }
  }

  return {
    remote: true,
    get id() {
      return width === 0 ? '' : `${url.host}/${model}/${width}`;
    },
    async embed(texts, use) {
      if (closing.signal.aborted) throw unavailable(url, 'it has been closed');
      if (!breaker.mayTry()) throw unavailable(url, 'it failed a moment ago');
      const deadline =
        use === 'query' ? AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]) : closing.signal;
      try {
        const vectors = await runBatches(cutBatches(texts.map(prepare)), (batch) =>
          requestInParts(batch, use, deadline),
        );
        breaker.succeed();
        return vectors.map((vector, at) => toVector((texts[at] as string).trim() === '' ? [] : vector, width));
      } catch (error) {
        if (closing.signal.aborted) breaker.leave();
        else {
          breaker.fail();
          report(error as Error);
        }
        throw unavailable(url, error instanceof EndpointFailure ? error.message : 'it did not answer in time');
      }
    },
    close: () => closing.abort(),
  };
}

/** Redacts secrets. Some endpoints refuse empty texts. */
function prepare(text: string): string {
  return redact(text).text.slice(0, longestText).trim() || 'nothing';
}

function cutBatches(texts: readonly string[]): string[][] {
  const batches: string[][] = [];
  let characters = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    if (last && last.length < batchTexts && characters + text.length <= batchCharacters) {
      last.push(text);
      characters += text.length;
    } else {
      batches.push([text]);
      characters = text.length;
    }
  }
  return batches;
}

async function runBatches(batches: readonly string[][], work: (batch: string[]) => Promise<number[][]>) {
  const done: number[][][] = [];
  let next = 0;
  let failed = false;
  const runners = Array.from({ length: Math.min(parallelBatches, batches.length) }, async () => {
    while (next < batches.length && !failed) {
      const at = next++;
      try {
        done[at] = await work(batches[at] as string[]);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  });
  await Promise.all(runners);
  return done.flat();
}

function toVector(numbers: readonly number[], width: number): Int8Array {
  const padded = new Float64Array(Math.ceil(width / lanes) * lanes);
  padded.set(numbers);
  return roundVector(padded);
}

function unavailable(url: URL, state: string): LoreError {
  return new LoreError('unavailable', `Cannot embed with "${url.host}": ${state}`);
}
