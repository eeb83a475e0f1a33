// The only code that makes HTTP requests. It limits time, size and redirects, never sends credentials to another origin, and
// uses `node:http` because `fetch` rewrites paths.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { LoreError } from '../error.ts';
import { openRequest, type Reach } from './connect.ts';

export interface OutgoingRequest {
  method: string;
  /** Scheme, host and port. */
  origin: string;
  /** Path and query, sent as they are. */
  target: string;
  headers?: readonly (readonly [name: string, value: string])[];
  body?: Uint8Array | string;
}

export interface OutgoingOptions {
  reach: Reach;
  timeoutMs: number;
  /** The longest response body. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
  /** Redirects within the origin. Default: 3 */
  redirects?: number;
  /** Follows redirects to other origins as well. For requests without credentials. */
  isRoaming?: boolean;
}

export interface OutgoingResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The address that answered. */
  url: string;
}

export async function send(request: OutgoingRequest, options: OutgoingOptions): Promise<OutgoingResponse> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  let current = request;
  for (let left = options.redirects ?? 3; ; left--) {
    try {
      const response = await exchange(current, options, signal);
      const next = left > 0 ? redirectOf(current, response, options.isRoaming === true) : undefined;
      if (!next) return response;
      current = next;
    } catch (error) {
      throw explain(error, current.origin, options, timeout.aborted);
    }
  }
}

async function exchange(
  request: OutgoingRequest,
  { reach, maxBytes }: OutgoingOptions,
  signal: AbortSignal,
): Promise<OutgoingResponse> {
  const answer = await open(request, reach, signal);
  const { statusCode: status = 0, headers } = answer;
  return { status, headers, body: await readBody(answer, maxBytes), url: `${request.origin}${request.target}` };
}

/** A response whose body is read as it arrives, for as long as the signal allows. Redirects are not followed. */
export interface OutgoingStream {
  status: number;
  headers: IncomingHttpHeaders;
  body: AsyncIterable<Buffer>;
}

/** `timeoutMs` is for the beginning of the response. */
export async function sendForStream(
  request: OutgoingRequest,
  options: Pick<OutgoingOptions, 'reach' | 'timeoutMs' | 'signal'>,
): Promise<OutgoingStream> {
  const starting = new AbortController();
  const timer = setTimeout(() => starting.abort(), options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, starting.signal]) : starting.signal;
  const headers = [...(request.headers ?? []), ['accept-encoding', 'identity']] as const;
  try {
    const answer = await open({ ...request, headers }, options.reach, signal);
    // Whoever reads it gets the error; it may also end while nobody does.
    answer.on('error', () => {});
    const { statusCode: status = 0, headers: received } = answer;
    return { status, headers: received, body: answer };
  } catch (error) {
    throw explain(error, request.origin, options, starting.signal.aborted);
  } finally {
    clearTimeout(timer);
  }
}

async function open(
  { method, origin, target, headers = [], body }: OutgoingRequest,
  reach: Reach,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(origin);
  if (!/^https?:$/.test(url.protocol) || url.username !== '')
    throw new LoreError('invalid_input', `Cannot reach "${origin}": expected an address of http or https`);
  if (!/^\/[\x21-\x7e]*$/.test(target))
    throw new LoreError(
      'invalid_input',
      'Cannot send the request: its path contains characters that a URL cannot contain',
    );
  const sent: { [name: string]: string | number } = { host: url.host, 'accept-encoding': 'gzip, deflate, br' };
  for (const [name, value] of headers) sent[name.toLowerCase()] = value;
  if (body !== undefined || /^(?:POST|PUT|PATCH)$/.test(method)) sent['content-length'] = Buffer.byteLength(body ?? '');
  for (;;) {
    const outgoing = await openRequest(url, target, reach, { method, headers: sent, signal });
    try {
      return await new Promise<IncomingMessage>((resolve, reject) => {
        outgoing.on('response', resolve).on('error', reject).end(body);
      });
    } catch (error) {
      // The server closed an idle connection just now, and has not seen the request.
      const isStale = outgoing.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (!isStale || signal.aborted) throw error;
    }
  }
}

async function readBody(answer: IncomingMessage, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer) {
    size += (part as Buffer).length;
    // Leaving the loop also ends the transfer.
    if (size > most) throw tooLong(most);
    parts.push(part as Buffer);
  }
  return decompress(Buffer.concat(parts), answer.headers['content-encoding'], most);
}

async function decompress(body: Buffer, encoding = 'identity', most: number): Promise<Buffer> {
  if (body.length === 0 || encoding === 'identity') return body;
  const { promisify } = await import('node:util');
  const zlib = await import('node:zlib');
  const unpackers: { [encoding: string]: typeof zlib.gunzip } = {
    gzip: zlib.gunzip,
    'x-gzip': zlib.gunzip,
    deflate: zlib.inflate,
    br: zlib.brotliDecompress,
  };
  const unpack = unpackers[encoding.toLowerCase()];
  if (!unpack) throw new LoreError('unavailable', `Cannot read the response: its encoding "${encoding}" is unknown`);
  try {
    return (await promisify(unpack as typeof zlib.gunzip)(body, { maxOutputLength: most })) as Buffer;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLong(most);
    throw new LoreError('unavailable', 'Cannot read the response: its compression is damaged');
  }
}

function tooLong(most: number): LoreError {
  return new LoreError('limit_exceeded', `Cannot read the response: it is longer than ${most} bytes`);
}

/** The request that a redirect asks for; undefined if it is not followed. */
function redirectOf(
  request: OutgoingRequest,
  { status, headers, url }: OutgoingResponse,
  isRoaming: boolean,
): OutgoingRequest | undefined {
  const { location } = headers;
  if (![301, 302, 303, 307, 308].includes(status) || !location || !URL.canParse(location, url)) return undefined;
  const { origin, pathname, search } = new URL(location, url);
  if (origin !== request.origin && !isRoaming) return undefined;
  const target = pathname + search;
  if (status >= 307 || request.method === 'GET' || request.method === 'HEAD') return { ...request, origin, target };
  const { body: _, headers: sent = [], ...rest } = request;
  const kept = sent.filter(([name]) => !/^content-/i.test(name));
  return { ...rest, method: 'GET', origin, target, headers: kept };
}

function explain(
  error: unknown,
  origin: string,
  { timeoutMs, signal }: Pick<OutgoingOptions, 'timeoutMs' | 'signal'>,
  timedOut: boolean,
): unknown {
  if (error instanceof LoreError || signal?.aborted) return error;
  if (timedOut)
    return new LoreError('timeout', `Cannot reach "${origin}": no complete response within ${timeoutMs} ms`);
  const code = String((error as NodeJS.ErrnoException).code ?? 'connection failed').slice(0, 60);
  return new LoreError('unavailable', `Cannot reach "${origin}": ${code}`, { details: { code }, cause: error });
}
