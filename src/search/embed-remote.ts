// An embedder behind an endpoint of OpenAI's shape. Texts go out redacted, in batches, a few at a time; what comes back is
// a unit vector in int8 like any other. Its id is known from the first answer on, because only that tells how wide the
// vectors are, and vectors of two widths must never share a name.
import { setTimeout as sleep } from 'node:timers/promises';
import { LoreError } from '../core/error.ts';
import type { Log } from '../core/log.ts';
import { redact } from '../core/secret/redact.ts';
import { roundVector } from './embed.ts';
import { createBreaker } from './embed-breaker.ts';
import { type Endpoint, EndpointFailure, readEndpointUrl, requestVectors } from './embed-endpoint.ts';

export interface RemoteOptions extends Endpoint {
  /** Longest a question waits. Documents, which nobody waits for, have longer. */
  timeoutMs: number;
  log?: Pick<Log, 'warn'> | undefined;
  now?: () => number;
}

export interface RemoteEmbedder {
  /** Empty before the first answer. */
  readonly id: string;
  readonly remote: true;
  embed(texts: readonly string[], use: 'query' | 'document'): Promise<Int8Array[]>;
  /** Ends what is under way. */
  close(): void;
}

const batchTexts = 32;
const batchCharacters = 64_000;
const parallelBatches = 4;
/** About what the longest-sighted usual models read; the rest of a text would be cut off by the endpoint, or refused. */
const longestText = 24_000;
const documentTimeoutMs = 60_000;
const tries = { query: 2, document: 4 };
const longestWaitMs = 20_000;
const halvings = 4;
const logEveryMs = 60_000;
/** The SIMD code takes sixteen numbers at a time. */
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
        // A question has no time for one that is not there, nor for a long wait.
        const wait = error.waitMs ?? 250 * 2 ** round * (0.5 + Math.random());
        const passes = error.kind === 'busy' || (error.kind === 'away' && use === 'document');
        if (!passes || (use === 'query' && wait > timeoutMs / 2)) throw error;
        await sleep(Math.min(wait, longestWaitMs), undefined, { signal: deadline });
      }
    }
  }

  /** A batch that is refused is halved, then a text; what is still refused while others pass is like nothing. */
  async function requestPatiently(
    texts: readonly string[],
    use: 'query' | 'document',
    deadline: AbortSignal,
    depth = 0,
  ): Promise<number[][]> {
    try {
      return await request(texts, use, deadline);
    } catch (error) {
      // Before the first answer it is rather the settings that are refused.
      if (!(error instanceof EndpointFailure) || error.kind !== 'refused' || width === 0) throw error;
      const again = (some: readonly string[], next: number) => requestPatiently(some, use, deadline, next);
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
          requestPatiently(batch, use, deadline),
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

/** Secrets stay here; some endpoints refuse a text without a word. */
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
