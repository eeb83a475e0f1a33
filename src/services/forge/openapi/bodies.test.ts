// Request bodies on the wire, both sides of every rule: a document and a body in, the bytes that a server received out.
import { afterAll, beforeAll, expect, it } from 'vitest';
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

/** The content type and the body that the server received; parts are separated by `--`. */
async function received(operation: Json, body: unknown, { swagger = false, method = 'post', more = {} } = {}) {
  const version = swagger ? { swagger: '2.0' } : { openapi: '3.1.0' };
  const document = openDocument({ ...version, paths: { '/p': { [method]: operation } } });
  const api = new Api(document);
  const readFile = async (path: string) => ({ bytes: Buffer.from(`<${path}>`), name: path, type: 'text/plain' });
  const args = { body, ...more };
  const request = await buildRequest(api, api.operation(api.names[0] as string), args, {
    readFile,
    base: server.origin,
  });
  await send(request, { reach: 'private', timeoutMs: 60_000, maxBytes: 1_000 });
  const got = server.requests.at(-1) as RecordingServer['requests'][number];
  const type = got.headers['content-type'] ?? '';
  const boundary = /boundary=(.*)/.exec(type)?.[1];
  if (boundary === undefined) return `${type} ${got.body}`;
  const parts = got.body.split(`--${boundary}`).map((part) => part.trim().replaceAll('\r\n', '\n'));
  return [type.replace(/;.*/, ''), ...parts.filter((part) => part !== '')].join('\n');
}

const media = (type: string, schema: Json = {}, encoding?: Json): Json => ({
  requestBody: { content: { [type]: { schema, ...(encoding && { encoding }) } } },
});
const form = 'application/x-www-form-urlencoded';
const parts = 'multipart/form-data';
const octets = 'application/octet-stream';
const binary = { properties: { file: { type: 'string', format: 'binary' } } };
const disposition = (name: string, file?: string) =>
  `Content-Disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}`;

const rows: [operation: Json, body: unknown, wire: string][] = [
  [media('application/json'), { a: [1, null], b: 'é' }, 'application/json {"a":[1,null],"b":"Ã©"}'],
  [media('application/json'), [1, 2], 'application/json [1,2]'],
  [media('application/json'), 'text', 'application/json "text"'],
  [media('application/json'), 5, 'application/json 5'],
  [media('application/json'), false, 'application/json false'],
  [media('application/json'), null, 'application/json null'],
  [media('application/json; charset=utf-8'), {}, 'application/json; charset=utf-8 {}'],
  [media('application/merge-patch+json'), { a: null }, 'application/merge-patch+json {"a":null}'],
  [media('application/json-patch+json'), [{ op: 'test' }], 'application/json-patch+json [{"op":"test"}]'],
  [media('application/vnd.api+json'), { a: 1 }, 'application/vnd.api+json {"a":1}'],
  [media('*/*'), { a: 1 }, 'application/json {"a":1}'],
  [media('application/x-ndjson'), [{ a: 1 }, { a: 2 }], 'application/x-ndjson {"a":1}\n{"a":2}\n'],
  [media('text/plain'), 'a\nb', 'text/plain a\nb'],
  [media('text/plain'), 12, 'text/plain 12'],
  [media('text/csv'), 'a,b', 'text/csv a,b'],
  [media('application/xml'), '<a/>', 'application/xml <a/>'],
  [media(octets, { type: 'string', format: 'binary' }), { base64: 'AAECAw==' }, `${octets} \x00\x01\x02\x03`],
  [media(octets, { type: 'string', format: 'binary' }), { path: 'x.bin' }, `${octets} <x.bin>`],
  [media(octets, { type: 'string', format: 'binary' }), 'plain', `${octets} plain`],
  [media(octets, { type: 'string', format: 'byte' }), 'AQI=', `${octets} \x01\x02`],
  [media('image/png'), { base64: 'AQI=' }, 'image/png \x01\x02'],
  [media(form), { a: 'x y', b: 'ü&=+' }, `${form} a=x+y&b=%C3%BC%26%3D%2B`],
  [media(form), { a: [1, 2] }, `${form} a=1&a=2`],
  [media(form), { a: { b: 1 } }, `${form} a=%7B%22b%22%3A1%7D`],
  [media(form), { a: [{ b: 1 }] }, `${form} a=%7B%22b%22%3A1%7D`],
  [media(form), { a: null, b: '' }, `${form} b=`],
  [media(form, {}, { a: { explode: false } }), { a: [1, 2] }, `${form} a=1,2`],
  [media(form, {}, { a: { style: 'spaceDelimited' } }), { a: [1, 2] }, `${form} a=1+2`],
  [media(form, {}, { a: { style: 'deepObject', explode: true } }), { a: { b: { c: 1 } } }, `${form} a%5Bb%5D%5Bc%5D=1`],
  [media(form, {}, { a: { allowReserved: true } }), { a: 'x/y&z' }, `${form} a=x/y%26z`],
  [media(form, {}, { a: { contentType: 'application/json' } }), { a: 'x' }, `${form} a=%22x%22`],
  [media(parts), { a: 'x', b: 2 }, `${parts}\n${disposition('a')}\n\nx\n${disposition('b')}\n\n2\n--`],
  [media(parts), { a: ['x', 'y'] }, `${parts}\n${disposition('a')}\n\nx\n${disposition('a')}\n\ny\n--`],
  [media(parts), { a: { b: 1 } }, `${parts}\n${disposition('a')}\nContent-Type: application/json\n\n{"b":1}\n--`],
  [
    media(parts, binary),
    { file: { base64: 'aGk=', name: 'h"i.txt', type: 'text/x' } },
    `${parts}\n${disposition('file', 'h%22i.txt')}\nContent-Type: text/x\n\nhi\n--`,
  ],
  [
    media(parts, binary),
    { file: { path: 'a.txt' } },
    `${parts}\n${disposition('file', 'a.txt')}\nContent-Type: text/plain\n\n<a.txt>\n--`,
  ],
  [
    media(parts, { properties: { files: { type: 'array', items: { type: 'string', format: 'binary' } } } }),
    {
      files: [
        { base64: 'YQ==', name: 'a' },
        { base64: 'Yg==', name: 'b' },
      ],
    },
    `${parts}\n${['a', 'b'].map((name) => `${disposition('files', name)}\nContent-Type: ${octets}\n\n${name}\n`).join('')}--`,
  ],
  [
    media(parts, binary, {
      file: { contentType: 'image/png, image/jpeg', headers: { 'X-Part': { schema: { const: 'v' } } } },
    }),
    { file: { base64: 'YQ==' } },
    `${parts}\n${disposition('file', 'file')}\nContent-Type: image/png\nX-Part: v\n\na\n--`,
  ],
  [
    media(parts, {}, { a: { contentType: 'application/xml' } }),
    { a: '<b/>' },
    `${parts}\n${disposition('a')}\nContent-Type: application/xml\n\n<b/>\n--`,
  ],
  [media('multipart/mixed'), { a: 'x' }, `multipart/mixed\n${disposition('a')}\n\nx\n--`],
];

const field = (name: string, own: Json) => ({ name, in: 'formData', ...own });
const list = { type: 'array', items: { type: 'string' } };
const swaggerRows: typeof rows = [
  [{ parameters: [{ name: 'pet', in: 'body', schema: {} }] }, { a: 1 }, 'application/json {"a":1}'],
  [{ consumes: ['text/plain'], parameters: [{ name: 'pet', in: 'body', schema: {} }] }, 'hi', 'text/plain hi'],
  [{ parameters: [field('a', { type: 'string' })] }, { a: 'x y' }, `${form} a=x+y`],
  [{ parameters: [field('a', list)] }, { a: ['x', 'y'] }, `${form} a=x,y`],
  [{ parameters: [field('a', { ...list, collectionFormat: 'multi' })] }, { a: ['x', 'y'] }, `${form} a=x&a=y`],
  [{ parameters: [field('a', { ...list, collectionFormat: 'pipes' })] }, { a: ['x', 'y'] }, `${form} a=x%7Cy`],
  [
    { consumes: [parts], parameters: [field('a', { ...list, collectionFormat: 'csv' })] },
    { a: ['x', 'y'] },
    `${parts}\n${disposition('a')}\n\nx,y\n--`,
  ],
  [
    { parameters: [field('f', { type: 'file' }), field('n', { type: 'integer' })] },
    { f: { base64: 'aGk=', name: 'h' }, n: 1 },
    `${parts}\n${disposition('f', 'h')}\nContent-Type: ${octets}\n\nhi\n${disposition('n')}\n\n1\n--`,
  ],
];

it('bodies are written in the media type of the document', async () => {
  const wrong: string[] = [];
  for (const [table, swagger] of [
    [rows, false],
    [swaggerRows, true],
  ] as const) {
    for (const [operation, body, wire] of table) {
      const got = await received(operation, body, { swagger });
      if (got !== wire) wrong.push(`${JSON.stringify([operation, body])}: ${got}, expected ${wire}`);
    }
  }
  expect(wrong).toEqual([]);
});

it('the preferred media type is JSON, and _content_type chooses another', async () => {
  const schema = { schema: {} };
  const content = { 'text/plain': schema, [form]: schema, 'application/json': schema };
  const operation = { requestBody: { content } };
  expect(await received(operation, { a: 1 })).toBe('application/json {"a":1}');
  expect(await received(operation, { a: 1 }, { more: { _content_type: form } })).toBe(`${form} a=1`);
});

it('a body is sent with any method, and none without the argument', async () => {
  expect(await received(media('application/json'), {}, { method: 'delete' })).toBe('application/json {}');
  expect(await received(media('application/json'), undefined)).toBe(' ');
  expect(await received({}, { ignored: true })).toBe(' ');
});

it('structured data is refused where only text can be sent', async () => {
  await expect(received(media('application/xml'), { a: 1 })).rejects.toMatchObject({ word: 'invalid_input' });
});

it('a file name cannot add a header to its part', async () => {
  const file = { base64: 'YQ==', name: 'a\r\nX-Evil: 1', type: 'text/plain\r\nX-Evil: 1' };
  await expect(received(media(parts, binary), { file })).rejects.toThrow('line break');
  const { type: _, ...named } = file;
  expect(await received(media(parts, binary), { file: named })).toContain('filename="a%0D%0AX-Evil: 1"');
});
