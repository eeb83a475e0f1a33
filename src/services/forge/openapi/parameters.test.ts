// Parameters on the wire, both sides of every rule: a document and arguments in, the bytes that a server received out.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRecordingServer, type RecordingServer } from '../../../../test/support/recording-server.ts';
import { send } from '../../../core/outgoing/send.ts';
import { Api } from './api.ts';
import { openDocument } from './document.ts';
import { buildRequest } from './request.ts';

let server: RecordingServer;
beforeAll(async () => {
  server = await openRecordingServer();
});
afterAll(() => server.close());

type Json = Record<string, unknown>;

/** What the server received for one operation of a document. */
async function received(document: Json, args: Json): Promise<string[]> {
  const api = new Api(openDocument({ servers: [{ url: `${server.origin}/v1/` }], ...document }));
  const operation = api.operation(api.names[0] as string);
  const readFile = async () => ({ bytes: Buffer.from('bytes'), name: 'a.txt', type: 'text/plain' });
  const base = document.swagger === undefined ? undefined : `${server.origin}/v1`;
  const request = await buildRequest(api, operation, args, { readFile, base });
  await send(request, { reach: 'private', timeoutMs: 60_000, maxBytes: 1_000 });
  const { line, headers } = server.requests.at(-1) as RecordingServer['requests'][number];
  const own = Object.entries(headers).filter(([name]) => /^(?:x-|cookie|color)/.test(name));
  return [line.replace('/v1', ''), ...own.map(([name, value]) => `${name}: ${value}`)];
}

const array = ['blue', 'black', 'brown'];
const object = { R: 100, G: 200, B: 150 };

/** An operation with one parameter named `color`, or with what `own` says. */
function withParameter(place: string, own: Json, version = '3.1.0'): Json {
  const path = place === 'path' ? '/p/{color}' : '/p';
  return { openapi: version, paths: { [path]: { get: { parameters: [{ name: 'color', in: place, ...own }] } } } };
}

function swagger(place: string, own: Json): Json {
  const path = place === 'path' ? '/p/{color}' : '/p';
  return { swagger: '2.0', paths: { [path]: { get: { parameters: [{ name: 'color', in: place, ...own }] } } } };
}

const explode = { explode: true };
const joined = { explode: false };
const label = { style: 'label' };
const matrix = { style: 'matrix' };
const space = { style: 'spaceDelimited' };
const pipe = { style: 'pipeDelimited' };
const deep = { style: 'deepObject', explode: true };
const reserved = { allowReserved: true };
const json = { content: { 'application/json': { schema: {} } } };
const strings = { type: 'array', items: { type: 'string' } };

/** Place, further fields of the parameter, value, and the end of the request line or the header. */
const rows: [place: string, own: Json, value: unknown, wire: string][] = [
  ['path', {}, 'blue', '/p/blue'],
  ['path', {}, 5, '/p/5'],
  ['path', {}, array, '/p/blue,black,brown'],
  ['path', explode, array, '/p/blue,black,brown'],
  ['path', {}, object, '/p/R,100,G,200,B,150'],
  ['path', explode, object, '/p/R=100,G=200,B=150'],
  ['path', label, 'blue', '/p/.blue'],
  ['path', label, array, '/p/.blue,black,brown'],
  ['path', { ...label, ...explode }, array, '/p/.blue.black.brown'],
  ['path', label, object, '/p/.R,100,G,200,B,150'],
  ['path', { ...label, ...explode }, object, '/p/.R=100.G=200.B=150'],
  ['path', matrix, 'blue', '/p/;color=blue'],
  ['path', matrix, '', '/p/;color'],
  ['path', matrix, array, '/p/;color=blue,black,brown'],
  ['path', { ...matrix, ...explode }, array, '/p/;color=blue;color=black;color=brown'],
  ['path', matrix, object, '/p/;color=R,100,G,200,B,150'],
  ['path', { ...matrix, ...explode }, object, '/p/;R=100;G=200;B=150'],
  ['path', {}, 'a/b?c#d e%é', '/p/a%2Fb%3Fc%23d%20e%25%C3%A9'],
  ['path', reserved, 'a/b?c:d@e', '/p/a%2Fb%3Fc:d@e'],
  ['path', {}, "!'()*", '/p/%21%27%28%29%2A'],
  ['path', json, { a: 1 }, '/p/%7B%22a%22%3A1%7D'],
  ['query', {}, 'blue', '/p?color=blue'],
  ['query', {}, '', '/p?color='],
  ['query', {}, true, '/p?color=true'],
  ['query', {}, 0, '/p?color=0'],
  ['query', {}, null, '/p'],
  ['query', {}, array, '/p?color=blue&color=black&color=brown'],
  ['query', joined, array, '/p?color=blue,black,brown'],
  ['query', joined, ['a,b', 'c'], '/p?color=a%2Cb,c'],
  ['query', {}, [], '/p'],
  ['query', joined, [], '/p'],
  ['query', {}, object, '/p?R=100&G=200&B=150'],
  ['query', joined, object, '/p?color=R,100,G,200,B,150'],
  ['query', {}, { a: { b: 1 } }, '/p?a=%7B%22b%22%3A1%7D'],
  ['query', space, array, '/p?color=blue%20black%20brown'],
  ['query', space, object, '/p?color=R%20100%20G%20200%20B%20150'],
  ['query', { ...space, ...explode }, array, '/p?color=blue&color=black&color=brown'],
  ['query', pipe, array, '/p?color=blue%7Cblack%7Cbrown'],
  ['query', pipe, object, '/p?color=R%7C100%7CG%7C200%7CB%7C150'],
  ['query', { ...pipe, ...explode }, array, '/p?color=blue&color=black&color=brown'],
  ['query', deep, object, '/p?color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
  ['query', deep, { a: { b: 1 } }, '/p?color%5Ba%5D%5Bb%5D=1'],
  ['query', deep, { a: ['x', 'y'] }, '/p?color%5Ba%5D=x&color%5Ba%5D=y'],
  ['query', {}, 'a b+c&d=e/f?g', '/p?color=a%20b%2Bc%26d%3De%2Ff%3Fg'],
  ['query', reserved, 'a b/c?d:e@f', '/p?color=a%20b/c?d:e@f'],
  ['query', reserved, 'a%20b#c[d]', '/p?color=a%20b%23c%5Bd%5D'],
  ['query', { ...reserved, ...joined }, ['a/b', 'c:d'], '/p?color=a/b,c:d'],
  ['query', json, { a: [1, 'b c'] }, '/p?color=%7B%22a%22%3A%5B1%2C%22b%20c%22%5D%7D'],
  ['query', json, 'text', '/p?color=%22text%22'],
  ['query', { content: { 'text/plain': {} } }, 'a b', '/p?color=a%20b'],
  ['query', { name: 'filter[x]' }, 'a', '/p?filter%5Bx%5D=a'],
  ['query', { name: '$top' }, 5, '/p?%24top=5'],
  ['querystring', { content: { 'application/x-www-form-urlencoded': {} } }, { a: 1, b: ['x', 'y'] }, '/p?a=1&b=x&b=y'],
  ['querystring', json, { a: 1 }, '/p?%7B%22a%22%3A1%7D'],
  ['querystring', { content: { 'text/plain': {} } }, 'a=b', '/p?a%3Db'],
  ['header', {}, 'blue', '/p color: blue'],
  ['header', {}, array, '/p color: blue,black,brown'],
  ['header', explode, array, '/p color: blue,black,brown'],
  ['header', {}, object, '/p color: R,100,G,200,B,150'],
  ['header', explode, object, '/p color: R=100,G=200,B=150'],
  ['header', {}, 'a b%/é', '/p color: a b%/é'],
  ['header', json, { a: 1 }, '/p color: {"a":1}'],
  ['header', { name: 'X-Flag' }, false, '/p x-flag: false'],
  ['header', { name: 'Accept' }, 'text/css', '/p'],
  ['header', { name: 'Authorization' }, 'secret', '/p'],
  ['header', { name: 'Host' }, 'evil.example', '/p'],
  ['cookie', {}, 'blue', '/p cookie: color=blue'],
  ['cookie', {}, 'a;b c', '/p cookie: color=a%3Bb%20c'],
  ['cookie', joined, array, '/p cookie: color=blue,black,brown'],
  ['cookie', {}, array, '/p cookie: color=blue; color=black; color=brown'],
  ['cookie', joined, object, '/p cookie: color=R,100,G,200,B,150'],
  ['cookie', {}, object, '/p cookie: R=100; G=200; B=150'],
  ['cookie', { style: 'cookie' }, 'a=b/c', '/p cookie: color=a=b/c'],
  ['cookie', { style: 'cookie' }, array, '/p cookie: color=blue; color=black; color=brown'],
  ['cookie', json, { a: 1 }, '/p cookie: color=%7B%22a%22%3A1%7D'],
];

const swaggerRows: typeof rows = [
  ['query', { type: 'string' }, 'a b', '/p?color=a%20b'],
  ['query', strings, array, '/p?color=blue,black,brown'],
  ['query', { ...strings, collectionFormat: 'csv' }, array, '/p?color=blue,black,brown'],
  ['query', { ...strings, collectionFormat: 'ssv' }, array, '/p?color=blue%20black%20brown'],
  ['query', { ...strings, collectionFormat: 'tsv' }, array, '/p?color=blue%09black%09brown'],
  ['query', { ...strings, collectionFormat: 'pipes' }, array, '/p?color=blue%7Cblack%7Cbrown'],
  ['query', { ...strings, collectionFormat: 'multi' }, array, '/p?color=blue&color=black&color=brown'],
  [
    'query',
    { type: 'array', items: { type: 'array', items: { type: 'string' }, collectionFormat: 'pipes' } },
    [['a', 'b'], ['c']],
    '/p?color=a%7Cb,c',
  ],
  ['path', { type: 'string' }, 'a/b', '/p/a%2Fb'],
  ['path', strings, array, '/p/blue,black,brown'],
  ['path', { ...strings, collectionFormat: 'ssv' }, array, '/p/blue%20black%20brown'],
  ['path', { ...strings, collectionFormat: 'pipes' }, array, '/p/blue%7Cblack%7Cbrown'],
  ['header', { ...strings, collectionFormat: 'pipes' }, array, '/p color: blue|black|brown'],
  ['header', strings, array, '/p color: blue,black,brown'],
];

async function differences(table: typeof rows, documentOf: (place: string, own: Json) => Json): Promise<string[]> {
  const wrong: string[] = [];
  for (const [place, own, value, wire] of table) {
    const name = String(own.name ?? 'color');
    const [line = '', ...headers] = await received(documentOf(place, own), { [name]: value });
    const got = [line.replace('GET ', ''), ...headers].join(' ');
    if (got !== wire) wrong.push(`${place} ${JSON.stringify(own)} ${JSON.stringify(value)}: ${got}, expected ${wire}`);
  }
  return wrong;
}

describe('parameters', () => {
  it('are written by the rules of OpenAPI 3', async () => {
    const withSchema = (place: string, own: Json) => withParameter(place, own.content ? own : { schema: {}, ...own });
    expect(await differences(rows, withSchema)).toEqual([]);
  });

  it('are written by the rules of Swagger 2.0', async () => {
    expect(await differences(swaggerRows, swagger)).toEqual([]);
  });

  it('of the operation replace those of the path, through references', async () => {
    const document = {
      openapi: '3.0.3',
      paths: { '/p/{id}': { $ref: '#/components/pathItems/p' } },
      components: {
        pathItems: {
          p: {
            parameters: [
              { $ref: '#/components/parameters/id' },
              { name: 'q', in: 'query', style: 'form', explode: true },
            ],
            get: { parameters: [{ name: 'q', in: 'query', explode: false, schema: strings }] },
          },
        },
        parameters: { id: { $ref: '#/components/parameters/real~1id' }, 'real/id': { name: 'id', in: 'path' } },
      },
    };
    expect(await received(document, { id: 1, q: ['a', 'b'] })).toEqual(['GET /p/1?q=a,b']);
  });

  it('of the same name in several places have an argument each', async () => {
    const ids = ['path', 'query', 'header', 'cookie'].map((place) => ({ name: 'x-id', in: place }));
    const document = { openapi: '3.0.0', paths: { '/p/{x-id}': { get: { parameters: ids } } } };
    const args = { 'x-id_path': 1, 'x-id_query': 2, 'x-id_header': 3, 'x-id_cookie': 4 };
    expect(await received(document, args)).toEqual(['GET /p/1?x-id=2', 'x-id: 3', 'cookie: x-id=4']);
  });

  it('that a path forgets to declare are strings, and a query in a path is kept', async () => {
    const document = { openapi: '3.0.0', paths: { '/a/{b}.json?v={c}#f': { get: {} } } };
    expect(await received(document, { b: 'x y', c: '&' })).toEqual(['GET /a/x%20y.json?v=%26']);
  });

  it.each([
    ['path', '..', 'would be "." or ".."|contains the segment'],
    ['path', '.', 'would be "." or ".."'],
    ['path', '', 'empty value'],
    ['path', '../../admin', 'contains the segment'],
    ['path', '..\\admin', 'contains the segment'],
    ['path', undefined, 'is missing'],
    ['header', 'a\r\nX-Evil: 1', 'line break'],
    ['header', '日本', 'cannot contain'],
    ['cookie', undefined, ''],
  ])('refuse a %s value %j', async (place, value, message) => {
    const sent = received(withParameter(place, { schema: {} }), { color: value });
    if (message === '') expect(await sent).toEqual(['GET /p']);
    else await expect(sent).rejects.toThrow(new RegExp(message));
  });
});

describe('servers', () => {
  const operation = { get: {} };
  it.each([
    ['the root', { servers: [{ url: 'ORIGIN/v1/root' }], paths: { '/p': operation } }, 'GET /root/p'],
    ['the path', { paths: { '/p': { servers: [{ url: 'ORIGIN/v1/path' }], ...operation } } }, 'GET /path/p'],
    ['the operation', { paths: { '/p': { get: { servers: [{ url: 'ORIGIN/v1/own/' }] } } } }, 'GET /own/p'],
    [
      'variables',
      {
        servers: [{ url: 'ORIGIN/v1/{area}/{stage}', variables: { area: { default: 'eu' }, stage: { enum: ['s'] } } }],
        paths: { '/p': operation },
      },
      'GET /eu/s/p',
    ],
  ])('are those of %s', async (_, document, line) => {
    const text = JSON.stringify(document).replaceAll('ORIGIN', server.origin);
    expect(await received({ openapi: '3.0.0', ...JSON.parse(text) }, {})).toEqual([line]);
  });

  it.each([
    'ftp://host/',
    'https://user:pass@host/',
    'https://host/a/../b',
    'https://host/%2e%2e/b',
    'https://{host}/',
    '/relative',
    'javascript:alert(1)',
  ])('refuse %s', async (url) => {
    const document = { openapi: '3.0.0', servers: [{ url }], paths: { '/p': operation } };
    await expect(received(document, {})).rejects.toMatchObject({ word: 'invalid_input' });
  });
});
