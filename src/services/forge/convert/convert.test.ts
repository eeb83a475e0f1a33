// Formats other than OpenAPI, read as OpenAPI: the request of each operation is what the other format describes.
import { expect, it } from 'vitest';
import { Api } from '../openapi/api.ts';
import { describeInput } from '../openapi/model-schema.ts';
import { buildRequest } from '../openapi/request.ts';
import { detectDocument } from './detect.ts';

type Json = Record<string, unknown>;

const open = (value: unknown) => new Api(detectDocument(value, '', 'api').document);

async function requestOf(api: Api, name: string, args: Json = {}) {
  const readFile = async () => ({ bytes: Buffer.from('x'), name: 'x', type: 'text/plain' });
  const { method, origin, target, body } = await buildRequest(api, api.operation(name), args, { readFile });
  return `${method} ${origin}${target}${body ? ` ${Buffer.from(body).toString()}` : ''}`;
}

it('a Google discovery document', async () => {
  const api = open({
    kind: 'discovery#restDescription',
    discoveryVersion: 'v1',
    title: 'Drive',
    rootUrl: 'https://www.googleapis.com/',
    servicePath: 'drive/v3/',
    schemas: {
      File: {
        id: 'File',
        type: 'object',
        properties: {
          id: { type: 'string', readOnly: true },
          parents: { type: 'array', items: { type: 'string' } },
          owner: { $ref: 'File' },
          any: { type: 'any' },
        },
      },
    },
    resources: {
      files: {
        methods: {
          update: {
            id: 'drive.files.update',
            path: 'files/{fileId}',
            httpMethod: 'PATCH',
            parameters: {
              fileId: { type: 'string', location: 'path', required: true },
              labels: { type: 'string', location: 'query', repeated: true },
            },
            request: { $ref: 'File' },
            response: { $ref: 'File' },
          },
        },
        resources: {
          versions: {
            methods: {
              get: {
                id: 'drive.versions.get',
                path: 'v1/{+name}',
                flatPath: 'v1/files/{filesId}/versions/{versionsId}',
                httpMethod: 'GET',
                parameters: { name: { type: 'string', location: 'path', required: true } },
              },
            },
          },
        },
      },
    },
  });
  expect(api.names).toEqual(['drive_files_update', 'drive_versions_get']);
  const args = { fileId: 'a/b', labels: ['x', 'y'], body: { parents: ['p'], owner: {} } };
  expect(await requestOf(api, 'drive_files_update', args)).toBe(
    'PATCH https://www.googleapis.com/drive/v3/files/a%2Fb?labels=x&labels=y {"parents":["p"],"owner":{}}',
  );
  expect(await requestOf(api, 'drive_versions_get', { filesId: 1, versionsId: 2 })).toBe(
    'GET https://www.googleapis.com/drive/v3/v1/files/1/versions/2',
  );
  expect(JSON.stringify(describeInput(api, api.operation('drive_files_update')))).not.toContain('"id"');
  expect(api.operation('drive_versions_get').security.map((needed) => needed[0]?.scheme)).toMatchObject([
    { kind: 'oauth2' },
    { kind: 'apiKey', in: 'query', name: 'key' },
  ]);
});

it('a Postman collection', async () => {
  const url = (path: string, more: Json = {}) => ({ raw: `{{base}}/${path}`, ...more });
  const api = open({
    info: { name: 'Shop', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    variable: [
      { key: 'base', value: '{{host}}/v1' },
      { key: 'host', value: 'api.example' },
    ],
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'X-Key' },
        { key: 'value', value: 's3cret' },
      ],
    },
    item: [
      {
        name: 'Pets',
        item: [
          {
            name: 'List pets',
            request: {
              method: 'GET',
              url: url('pets?limit=10&off=1', {
                query: [
                  { key: 'limit', value: '10' },
                  { key: 'off', disabled: true },
                ],
              }),
              header: [{ key: 'X-Trace', value: '1' }],
            },
          },
          { name: 'List sold pets', request: { method: 'GET', url: url('pets'), auth: { type: 'noauth' } } },
          {
            name: 'Add',
            request: {
              method: 'POST',
              url: url('pets'),
              body: { mode: 'raw', raw: '{"name": "Rex", "tags": ["a"]}', options: { raw: { language: 'json' } } },
            },
          },
          {
            name: 'Photo',
            request: {
              method: 'POST',
              url: url('pets/:id/{{kind}}'),
              body: {
                mode: 'formdata',
                formdata: [
                  { key: 'f', type: 'file' },
                  { key: 'n', type: 'text' },
                ],
              },
            },
          },
          {
            name: 'Form',
            request: {
              method: 'PUT',
              url: url('form'),
              body: { mode: 'urlencoded', urlencoded: [{ key: 'a' }, { key: 'b', disabled: true }] },
            },
          },
        ],
      },
      { name: 'Health', request: 'https://status.example/up' },
    ],
  });
  expect(api.names).toEqual(['pets_list_pets', 'pets_add', 'pets_list_sold_pets', 'pets_photo', 'pets_form', 'health']);
  expect(await requestOf(api, 'pets_list_pets', { limit: 5 })).toBe('GET https://api.example/v1/pets?limit=5');
  expect(api.operation('pets_list_pets').parameters.map(({ name }) => name)).toEqual(['limit', 'X-Trace']);
  expect(await requestOf(api, 'pets_list_sold_pets')).toBe('GET https://api.example/v1/pets');
  expect(await requestOf(api, 'pets_photo', { id: 7, kind: 'big', body: { n: 'x' } })).toContain(
    'POST https://api.example/v1/pets/7/big --lore-',
  );
  expect(await requestOf(api, 'pets_form', { body: { a: 1 } })).toBe('PUT https://api.example/v1/form a=1');
  expect(await requestOf(api, 'health')).toBe('GET https://status.example/up');
  const { properties } = describeInput(api, api.operation('pets_add')) as { properties: Json };
  expect(properties.body).toEqual({
    type: 'object',
    properties: { name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
  });
  expect(api.operation('pets_add').security[0]?.[0]?.scheme).toMatchObject({
    kind: 'apiKey',
    in: 'header',
    name: 'X-Key',
  });
  expect(api.operation('pets_list_sold_pets').security).toEqual([]);
  expect(JSON.stringify(api.document)).not.toContain('s3cret');
});

it('a HAR file, without the secrets in it', async () => {
  const entry = (method: string, url: string, type = 'application/json', postData?: Json) => ({
    request: {
      method,
      url,
      headers: [{ name: 'Authorization', value: 'Bearer s3cret' }],
      ...(postData && { postData }),
    },
    response: { content: { mimeType: type } },
  });
  const api = open({
    log: {
      entries: [
        entry('GET', 'https://cdn.example/app.js', 'text/javascript'),
        entry('GET', 'https://api.example/users/17/posts?page=2'),
        entry('GET', 'https://api.example/users/18/posts?sort=s3cret'),
        entry('POST', 'https://api.example/users', 'application/json', {
          mimeType: 'application/json',
          text: '{"name":"s3cret"}',
        }),
        entry('GET', 'not a url'),
      ],
    },
  });
  expect(api.names).toEqual(['get_users_by_users_id_posts', 'post_users']);
  expect(await requestOf(api, 'get_users_by_users_id_posts', { users_id: 1, page: 3 })).toBe(
    'GET https://api.example/users/1/posts?page=3',
  );
  expect(await requestOf(api, 'post_users', { body: { name: 'a' } })).toBe(
    'POST https://api.example/users {"name":"a"}',
  );
  expect(JSON.stringify(api.document)).not.toContain('s3cret');
});
