// An embedder behind an endpoint: what is sent, what is believed of the answers, and what happens when there are none.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  countLetters,
  type EmbeddingEndpoint,
  letters,
  type Reply,
  startEmbeddingEndpoint,
} from '../../test/support/embedding-endpoint.ts';
import { measureCosine } from './embed.ts';
import { createRemoteEmbedder, type RemoteOptions } from './embed-remote.ts';

let endpoint: EmbeddingEndpoint;
beforeEach(async () => {
  endpoint = await startEmbeddingEndpoint();
});
afterEach(() => endpoint.close());

const logged: unknown[] = [];
let time = 0;

function create(rest: Partial<RemoteOptions> = {}) {
  logged.length = 0;
  time = 1_000_000;
  return createRemoteEmbedder({
    url: endpoint.url,
    model: 'toy',
    key: '',
    dimensions: 0,
    timeoutMs: 5_000,
    log: { warn: (_, facts) => logged.push(facts) },
    now: () => time,
    ...rest,
  });
}

const unavailable = (problem: string) => ({ word: 'unavailable', message: expect.stringContaining(problem) });
const vectorsOf = (texts: string[]) => texts.map((text, index) => ({ index, embedding: countLetters(text) }));
const first = (reply: Reply) => (_: unknown, count: number) => (count === 1 ? reply : undefined);

describe('what is sent', () => {
  it('is an OpenAI-compatible request', async () => {
    const embedder = create({ key: 'k1', dimensions: letters });
    await embedder.embed(['hello'], 'query');
    expect(endpoint.requests).toEqual([
      {
        path: '/v1/embeddings',
        key: 'Bearer k1',
        body: { model: 'toy', input: ['hello'], dimensions: letters, encoding_format: 'float' },
      },
    ]);
  });

  it('goes to a complete path with its parameters', async () => {
    await create({ url: `${endpoint.url}/embeddings/?version=2` }).embed(['hello'], 'query');
    expect(endpoint.requests[0]).toMatchObject({ path: '/v1/embeddings?version=2', key: undefined });
    expect(endpoint.requests[0]?.body).not.toHaveProperty('dimensions');
  });

  it('contains no secrets', async () => {
    const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
    await create().embed([`why does the token ${secret} fail`], 'query');
    expect(JSON.stringify(endpoint.requests)).not.toContain(secret);
  });

  it('is sent in batches, a few at a time, and in order', async () => {
    const texts = Array.from({ length: 300 }, (_, n) => 'abcdefghij'[n % 10]?.repeat(1 + (n % 7)) as string);
    const vectors = await create().embed(texts, 'document');
    const sizes = endpoint.requests.map(({ body }) => body.input.length);
    expect(sizes.sort((a, b) => b - a)).toEqual([...new Array(9).fill(32), 12]);
    expect(vectors.map((vector) => vector.indexOf(127))).toEqual(texts.map((text) => text.charCodeAt(0) - 97));
    await create().embed(new Array(4).fill('long '.repeat(10_000)), 'document');
    expect(endpoint.requests.slice(10).every(({ body }) => body.input.join('').length <= 64_000)).toBe(true);
  });
});

describe('an answer', () => {
  it('becomes a unit vector in int8, padded for the matrix', async () => {
    const embedder = create();
    expect(embedder.id).toBe('');
    const [a, b, blank] = (await embedder.embed(['abcde', 'edcba', ' '], 'document')) as [
      Int8Array,
      Int8Array,
      Int8Array,
    ];
    expect(a).toHaveLength(32);
    expect(measureCosine(a, b)).toBeCloseTo(1, 1);
    expect(blank.every((value) => value === 0)).toBe(true);
    expect(embedder.id).toBe(`${new URL(endpoint.url).host}/toy/${letters}`);
  });

  it('is ordered by its index', async () => {
    endpoint.reply = ({ body }) => ({ body: { data: vectorsOf(body.input).reverse() } });
    const [a, b] = await create().embed(['a', 'b'], 'document');
    expect([a?.indexOf(127), b?.indexOf(127)]).toEqual([0, 1]);
  });

  it.each<[string, Reply, string]>([
    [
      'vectors of different lengths',
      { body: { data: [{ embedding: [1, 2] }, { embedding: [1] }] } },
      'different lengths',
    ],
    ['too few vectors', { body: { data: [{ embedding: [1] }] } }, '1 vectors for 2 texts'],
    ['a number twice', { body: { data: [0, 0].map((index) => ({ index, embedding: [1] })) } }, 'returned index 0'],
    ['a number out of range', { body: { data: [0, 7].map((index) => ({ index, embedding: [1] })) } }, 'index 7 of 2'],
    ['what is no number', { body: { data: [{ embedding: ['1'] }, { embedding: [2] }] } }, 'not a list of finite'],
    ['infinity', { body: '{"data":[{"embedding":[1e999]},{"embedding":[1]}]}' }, 'not a list of finite'],
    ['no list', { body: { error: 'no' } }, 'no list of vectors'],
    ['null', { body: 'null' }, 'no list of vectors'],
    ['something else than JSON', { body: '<html>' }, 'not JSON'],
    ['a flood', 'flood', 'longer than'],
    ['a wrong key', { status: 401, body: { error: 'who are you' } }, 'it answered 401: {"error":"who are you"}'],
    ['a refusal of everything', { status: 400, body: 'bad model' }, 'it answered 400: bad model'],
    [
      'a way to another host',
      { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' },
      'it answered 302',
    ],
  ])('with %s is refused', async (_, reply, problem) => {
    endpoint.reply = () => reply;
    await expect(create().embed(['a', 'b'], 'query')).rejects.toMatchObject(unavailable(problem));
    expect(logged).toMatchObject([{ problem: expect.stringContaining(problem) }]);
  });

  it('of another size than requested or before is refused', async () => {
    await expect(create({ dimensions: 8 }).embed(['a'], 'query')).rejects.toMatchObject(
      unavailable('26 numbers instead of 8'),
    );
    const embedder = create();
    await embedder.embed(['a'], 'query');
    endpoint.reply = () => ({ body: { data: [{ index: 0, embedding: [1, 0, 0] }] } });
    await expect(embedder.embed(['a'], 'query')).rejects.toMatchObject(unavailable('3 numbers instead of 26'));
  });
});

describe('a failing endpoint', () => {
  it.each([429, 500, 503])('is retried after status %i, with its delay', async (status) => {
    endpoint.reply = first({ status, headers: { 'retry-after': '0' }, body: 'later' });
    expect(await create().embed(['a'], 'document')).toHaveLength(1);
    expect(endpoint.requests).toHaveLength(2);
  });

  it('does not delay a query for long', async () => {
    endpoint.reply = () => ({ status: 429, headers: { 'retry-after': '3600' }, body: 'later' });
    await expect(create().embed(['a'], 'query')).rejects.toMatchObject(unavailable('it answered 429: later'));
    expect(endpoint.requests).toHaveLength(1);
  });

  it('is not called again after a few attempts', async () => {
    endpoint.reply = () => ({ status: 500, headers: { 'retry-after': '0' }, body: 'no' });
    await expect(create().embed(['a'], 'document')).rejects.toMatchObject(unavailable('it answered 500'));
    expect(endpoint.requests).toHaveLength(4);
  });

  it('is not called after a failure, retried by one caller later, and logged once a minute', async () => {
    const embedder = create({ timeoutMs: 1_000 });
    endpoint.reply = () => 'silence';
    const ask = () =>
      embedder.embed(['a'], 'query').then(
        () => 'answered',
        (error: Error) => error.message.split(': ')[1],
      );
    expect(await ask()).toBe('it did not answer in time');
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(new Array(3).fill('it failed a moment ago'));
    expect(endpoint.requests).toHaveLength(1);
    time += 5_000;
    expect((await Promise.all([ask(), ask()])).sort()).toEqual(['it did not answer in time', 'it failed a moment ago']);
    time += 5_000;
    expect(await ask()).toBe('it failed a moment ago');
    expect(logged).toHaveLength(1);
    time += 60_000;
    endpoint.reply = () => undefined;
    expect(await Promise.all([ask(), ask()])).toContain('answered');
    expect(await ask()).toBe('answered');
  });

  it('that is unreachable fails at once', async () => {
    await endpoint.close();
    await expect(create().embed(['a'], 'query')).rejects.toMatchObject(unavailable('ECONNREFUSED'));
  });

  it('ends with the embedder', async () => {
    const embedder = create({ timeoutMs: 600_000 });
    endpoint.reply = () => 'silence';
    const asked = embedder.embed(['a'], 'document');
    const outcome = expect(asked).rejects.toMatchObject({ word: 'unavailable' });
    await expect.poll(() => endpoint.requests.length).toBe(1);
    embedder.close();
    await outcome;
    expect(logged).toEqual([]);
  });
});

describe('a refused text', () => {
  const refuse = (isBad: (text: string) => boolean) => {
    endpoint.reply = ({ body }) => (body.input.some(isBad) ? { status: 400, body: 'too long' } : undefined);
  };

  it('is shortened, and does not affect others', async () => {
    const embedder = create();
    await embedder.embed(['ready'], 'document');
    refuse((text) => text.length > 100);
    const vectors = await embedder.embed(['a', 'b'.repeat(700), 'c'], 'document');
    expect(vectors.map((vector) => vector.indexOf(127))).toEqual([0, 1, 2]);
  });

  it('gets an empty vector if it is short', async () => {
    const embedder = create();
    await embedder.embed(['ready'], 'document');
    refuse((text) => text.startsWith('b'));
    const [a, b] = await embedder.embed(['a', 'b'.repeat(700)], 'document');
    expect(a?.indexOf(127)).toBe(0);
    expect(b?.every((value) => value === 0)).toBe(true);
  });

  it('is not skipped if everything is refused', async () => {
    const embedder = create();
    await embedder.embed(['ready'], 'document');
    refuse(() => true);
    await expect(embedder.embed(['a'], 'document')).rejects.toMatchObject({ word: 'unavailable' });
  });
});
