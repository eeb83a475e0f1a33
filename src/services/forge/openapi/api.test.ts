// Reading documents: versions, references, several files, names, security, the schema for a model, and hostile documents.
import { describe, expect, it } from 'vitest';
import { fromJsonSchema } from '../../../core/foreign.ts';
import type { Issue } from '../../../core/schema.ts';
import { Api } from './api.ts';
import { bundleFiles } from './bundle.ts';
import { openDocument, parseDocument } from './document.ts';
import { describeInput } from './model-schema.ts';
import { chooseSecurity, type SecurityScheme } from './security.ts';

type Json = Record<string, unknown>;

const open = (document: Json) => new Api(openDocument({ openapi: '3.0.3', ...document }));
const withBody = (schema: Json, more: Json = {}) =>
  open({
    paths: { '/p': { post: { requestBody: { required: true, content: { 'application/json': { schema } } } } } },
    ...more,
  });
const inputOf = (api: Api) => describeInput(api, api.operation(api.names[0] as string)) as Json;
const bodyOf = (api: Api) => (inputOf(api).properties as Json).body as Json;

function accepts(api: Api, args: unknown): boolean {
  const issues: Issue[] = [];
  fromJsonSchema(inputOf(api)).read(args, 'arguments', issues);
  return issues.length === 0;
}

describe('a document', () => {
  it('is JSON or YAML of a known version', async () => {
    const versions = ['{"swagger":"2.0"}', 'openapi: 3.0.4', '\uFEFF{"openapi":"3.1.0"}', '{openapi: 3.2.0}'];
    const found = versions.map(async (text) => openDocument(await parseDocument(text)).version);
    expect(await Promise.all(found)).toEqual(['2.0', '3.0', '3.1', '3.2']);
    for (const value of [{ openapi: '4.0.0' }, {}, [], null, 'text'])
      expect(() => openDocument(value)).toThrow('Cannot read the document: it');
    await expect(parseDocument('a: [b')).rejects.toMatchObject({ word: 'invalid_input' });
  });

  it('with YAML aliases that stand for gigabytes, or are cyclic, is refused', async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`);
    await expect(parseDocument(`a0: &a0 [x]\n${lines.join('\n')}`)).rejects.toMatchObject({ word: 'limit_exceeded' });
    await expect(parseDocument('a: &a [*a]')).rejects.toMatchObject({ word: 'limit_exceeded' });
    expect(await parseDocument('a: &a {x: 1}\nb: {<<: *a, y: 2}')).toEqual({ a: { x: 1 }, b: { x: 1, y: 2 } });
  });

  it('of several files becomes one, without files outside its root', async () => {
    const files: Json = {
      'pets/item.yaml': {
        get: { parameters: [{ $ref: '../shared.yaml#/limit' }, { $ref: '#/x-own' }] },
        'x-own': { name: 'own', in: 'query' },
      },
      'shared.yaml': { limit: { name: 'limit', in: 'query', schema: { $ref: 'main.yaml#/components/schemas/n' } } },
    };
    const read: string[] = [];
    const main = {
      openapi: '3.0.0',
      paths: {
        '/pets': { $ref: 'pets/item.yaml' },
        '/a': { $ref: '../../etc/passwd' },
        '/b': { $ref: 'file:///etc/passwd' },
        '/c': { $ref: 'http://169.254.169.254/latest' },
        '/d': { $ref: '/etc/passwd' },
        '/e': { $ref: 'missing.yaml' },
      },
      components: { schemas: { n: { type: 'integer' } } },
    };
    const bundled = await bundleFiles(main, 'main.yaml', async (path) => {
      read.push(path);
      return files[path];
    });
    const api = new Api(openDocument(JSON.parse(JSON.stringify(bundled))));
    expect(read.sort()).toEqual(['missing.yaml', 'pets/item.yaml', 'shared.yaml']);
    expect(api.names).toEqual(['get_pets']);
    expect((inputOf(api).properties as Json).limit).toEqual({ type: 'integer' });
    expect(Object.keys(inputOf(api).properties as Json)).toEqual(['limit', 'own']);
  });
});

describe('references', () => {
  it('keep their neighbours from 3.1 on, and end when they form a cycle', () => {
    const parameter = { $ref: '#/components/parameters/a', description: 'own' };
    const paths = { '/p': { get: { parameters: [parameter] } } };
    const components = {
      parameters: { a: { name: 'a', in: 'query', description: 'target' }, b: { $ref: '#/components/parameters/b' } },
    };
    const described = (openapi: string) =>
      new Api(openDocument({ openapi, paths, components })).operation('get_p').parameters[0]?.description;
    expect([described('3.0.0'), described('3.1.0')]).toEqual(['target', 'own']);
    for (const $ref of ['#/components/parameters/b', '#/nowhere', '#/constructor', 'http://host/x'])
      expect(() =>
        open({ paths: { '/p': { get: { parameters: [{ $ref }] } } }, components }).operation('get_p'),
      ).toThrow('Cannot follow the reference');
  });
});

describe('names', () => {
  const paths = {
    '/users/{id}': { get: { operationId: 'getUserByID' }, delete: {} },
    '/a': { get: { operationId: 'same' }, post: { operationId: 'Same' } },
    '/é-ü': { get: {} },
    '/日本': { get: {} },
    '/long': { get: { operationId: 'x'.repeat(80) }, put: { operationId: 'x'.repeat(81) } },
    '/3.2': { query: {}, additionalOperations: { COPY: {} } },
  };

  it('are short, unique, plain, and the same in any order', () => {
    const { names, keys } = open({ paths });
    expect(names.slice(0, 2)).toEqual(['get_user_by_id', 'delete_users_by_id']);
    expect(new Set(names).size).toBe(10);
    expect(names.filter((name) => !/^[a-z0-9_]{1,42}$/.test(name))).toEqual([]);
    const reversed = open({ paths: Object.fromEntries(Object.entries(paths).reverse()) });
    expect(new Map([...reversed.keys].sort())).toEqual(new Map([...keys].sort()));
  });

  it('are kept when a document changes', () => {
    const before = open({ paths });
    const changed = { '/b': { get: { operationId: 'getUserByID' } }, ...paths };
    const { keys } = new Api(openDocument({ openapi: '3.0.0', paths: changed }), before.keys);
    expect(keys.get('get /users/{id}')).toBe('get_user_by_id');
    expect(keys.get('get /b')).toMatch(/^get_user_by_id_[0-9a-f]{6}$/);
  });
});

describe('security', () => {
  const components = {
    securitySchemes: {
      key: { type: 'apiKey', in: 'cookie', name: 'sid' },
      login: { type: 'http', scheme: 'Basic' },
      token: { type: 'http', scheme: 'bearer' },
      flow: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://host/token' } } },
    },
  };
  const securityOf = (own: Json) =>
    open({ security: [{ key: [] }], components, paths: { '/p': { get: own } } }).operation('get_p').security;
  const having =
    (...ids: string[]) =>
    (scheme: SecurityScheme) =>
      ids.includes(scheme.id);

  it('is any of several alternatives, each of which may need several schemes', () => {
    const alternatives = securityOf({ security: [{ login: [], key: [] }, { flow: ['read'] }] });
    const chosen = (...ids: string[]) => chooseSecurity(alternatives, having(...ids)).map(({ scheme }) => scheme.id);
    expect(chosen('flow', 'key')).toEqual(['flow']);
    expect(chosen('login', 'key', 'flow')).toEqual(['login', 'key']);
    expect(() => chosen('key')).toThrow('it needs credentials for login and key, or flow');
    expect(alternatives[1]).toMatchObject([
      { scheme: { kind: 'oauth2', tokenUrl: 'https://host/token' }, scopes: ['read'] },
    ]);
  });

  it('is inherited, can be switched off, and can be optional', () => {
    expect(securityOf({})).toMatchObject([[{ scheme: { kind: 'apiKey', in: 'cookie', name: 'sid' } }]]);
    expect(chooseSecurity(securityOf({ security: [] }), having('key'))).toEqual([]);
    expect(chooseSecurity(securityOf({ security: [{ token: [] }, {}] }), having())).toEqual([]);
  });
});

describe('the schema for a model', () => {
  it('translates 3.0, and drops what cannot be sent', () => {
    const body = bodyOf(
      withBody({
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'integer', readOnly: true },
          name: { type: 'string', nullable: true, enum: ['a'], example: 'a', xml: {}, 'x-own': 1 },
          size: { type: 'number', minimum: 1, exclusiveMinimum: true, format: 'float' },
          day: { type: 'string', format: 'date', pattern: '(' },
        },
      }),
    );
    expect(body).toEqual({
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: ['string', 'null'], enum: ['a', null] },
        size: { type: 'number', exclusiveMinimum: 1 },
        day: { type: 'string', format: 'date' },
      },
    });
  });

  it('merges plain allOf, tags branches by their discriminator, and keeps recursion', () => {
    const cat = {
      allOf: [{ $ref: '#/components/schemas/pet' }, { required: ['n'], properties: { n: { type: 'integer' } } }],
    };
    const pet = {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' }, friends: { type: 'array', items: { $ref: '#/components/schemas/pet' } } },
    };
    const api = withBody(
      {
        oneOf: [{ $ref: '#/components/schemas/cat' }],
        discriminator: { propertyName: 'kind', mapping: { CAT: '#/components/schemas/cat' } },
      },
      { components: { schemas: { pet, cat } } },
    );
    expect(accepts(api, { body: { kind: 'CAT', n: 1, friends: [{ kind: 'x' }] } })).toBe(true);
    expect(accepts(api, { body: { kind: 'cat', n: 1 } })).toBe(false);
    expect(accepts(api, { body: { kind: 'CAT' } })).toBe(false);
    expect(accepts(api, { body: { kind: 'CAT', n: 1, friends: [{}] } })).toBe(false);
    expect(accepts(api, {})).toBe(false);
    expect(accepts(api, { body: { kind: 'CAT', n: 1 }, other: 1 })).toBe(false);
  });

  it('offers files where a request has them', () => {
    const content = { 'multipart/form-data': { schema: { properties: { f: { type: 'string', format: 'binary' } } } } };
    const api = open({ paths: { '/p': { post: { requestBody: { content } } } } });
    expect(accepts(api, { body: { f: { path: 'a.txt' } } })).toBe(true);
    expect(accepts(api, { body: { f: 'text' } })).toBe(false);
  });

  it('stays small and quick for hostile documents', () => {
    const schemas: Json = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [
        `s${at}`,
        { allOf: Array(4).fill({ $ref: `#/components/schemas/s${at + 1}` }) },
      ]),
    );
    schemas.s50 = {
      type: 'object',
      properties: { a: { type: 'string', enum: Array.from({ length: 200_000 }, String) } },
    };
    const wide = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`p${at}`, { $ref: '#/components/schemas/s0' }]),
    );
    for (const schema of [{ $ref: '#/components/schemas/s0' }, { type: 'object', properties: wide }]) {
      const api = withBody(schema, { components: { schemas } });
      expect(JSON.stringify(inputOf(api)).length).toBeLessThan(60_000);
      expect(accepts(api, { body: {} })).toBe(true);
    }
  });
});
