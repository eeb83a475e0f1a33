// GraphQL: the schema language and introspection give the same operations, and queries ask for fields that exist.
import { expect, it } from 'vitest';
import { Api } from '../openapi/api.ts';
import { openDocument } from '../openapi/document.ts';
import { describeInput } from '../openapi/model-schema.ts';
import { convertGraphql } from './convert.ts';
import { findIntrospection, readIntrospection } from './introspection.ts';
import { findGraphqlError, writeQuery } from './query.ts';
import { isSdl, readSdl } from './sdl.ts';

const sdl = `
"""A "quoted" description with { braces } """
directive @cost(weight: Int = 1) repeatable on FIELD_DEFINITION | OBJECT
schema @cost { query: Root mutation: Change }
scalar Date
type Root {
  "One pet" pet(id: ID!, at: Date = "now"): Pet
  pets(first: Int, after: String, kind: Kind): PetConnection!
  search(text: [String!]!): [Result!]! @deprecated(reason: "old {")
  count: Int!
}
# comment
extend type Root { node: Node }
type Change { deletePet(input: PetInput!): Pet addPet(input: PetInput!): Pet }
interface Node { id: ID! }
type Pet implements Node & Named { id: ID! name: String owner: Owner friends(first: Int): PetConnection secret(key: String!): String old: Int @deprecated }
interface Named { name: String }
type Owner { name: String! pets: [Pet!] }
type PetConnection { nodes: [Pet] pageInfo: PageInfo! totalCount: Int }
type PageInfo { hasNextPage: Boolean! endCursor: String }
union Result = | Pet | Owner
enum Kind { CAT DOG @cost(weight: 2) }
input PetInput { name: String! kind: Kind = CAT tags: [String!] parent: PetInput }
`;

const open = (text: string) =>
  new Api(openDocument(convertGraphql(readSdl(text), 'Pets', 'https://api.example/graphql')));
const queryOf = (api: Api, name: string) => {
  const { graphql } = api.operation(name);
  return JSON.parse(writeQuery(graphql as NonNullable<typeof graphql>, {})).query as string;
};

it('the schema language gives an operation for each query and mutation', () => {
  const api = open(sdl);
  expect(isSdl(sdl)).toBe(true);
  expect(isSdl('openapi: 3.0.0\ninfo:\n  description: |\n    type Pet {')).toBe(false);
  expect(api.names).toEqual(['pet', 'pets', 'search', 'count', 'node', 'delete_pet', 'add_pet']);
  expect(api.names.map((name) => api.operation(name).effect)).toEqual([
    'read',
    'read',
    'read',
    'read',
    'read',
    'destroy',
    'write',
  ]);
  expect(queryOf(api, 'pet')).toBe(
    'query($id: ID!, $at: Date) { pet(id: $id, at: $at) { id name owner { name } friends(first: 10) { nodes { id name } pageInfo { hasNextPage endCursor } } } }',
  );
  expect(queryOf(api, 'pets')).toContain(
    'query($first: Int = 10, $after: String, $kind: Kind) { pets(first: $first, after: $after, kind: $kind) { nodes {',
  );
  expect(queryOf(api, 'search')).toContain(
    '{ __typename ... on Pet { id Pet_name: name } ... on Owner { Owner_name: name } }',
  );
  expect(queryOf(api, 'count')).toBe('query { count  }');
  expect(queryOf(api, 'node')).toBe('query { node { __typename id } }');
  expect(describeInput(api, api.operation('add_pet'))).toMatchObject({
    required: ['body'],
    properties: {
      body: { required: ['input'], properties: { input: { $ref: '#/$defs/PetInput' } } },
      _fields: { type: 'string' },
    },
    $defs: {
      PetInput: {
        required: ['name'],
        properties: { kind: { enum: ['CAT', 'DOG'] }, parent: { $ref: '#/$defs/PetInput' } },
      },
    },
  });
  for (const text of ['type A {', 'type A { b }', 'type A { b: [C }', 'nonsense A { b: C }'])
    expect(() => readSdl(text)).toThrow('Cannot read the GraphQL schema');
});

it('introspection gives the same', () => {
  const named = (name: string, kind = 'OBJECT') => ({ kind, name, ofType: null });
  const value = {
    data: {
      __schema: {
        queryType: { name: 'Query' },
        types: [
          {
            kind: 'OBJECT',
            name: 'Query',
            fields: [
              {
                name: 'a',
                args: [
                  { name: 'x', type: { kind: 'NON_NULL', ofType: { kind: 'LIST', ofType: named('Int', 'SCALAR') } } },
                ],
                type: named('A'),
              },
            ],
          },
          {
            kind: 'OBJECT',
            name: 'A',
            fields: [{ name: 'id', args: [], type: { kind: 'NON_NULL', ofType: named('ID', 'SCALAR') } }],
          },
          { kind: 'SCALAR', name: 'ID' },
        ],
      },
    },
  };
  const schema = readIntrospection(findIntrospection(value) ?? {});
  const api = new Api(openDocument(convertGraphql(schema, 'A', 'https://api.example/graphql')));
  expect(queryOf(api, 'a')).toBe('query($x: [Int]!) { a(x: $x) { id } }');
});

it('chosen fields stay inside the query', () => {
  const call = { start: 'query { pet', fields: '{ id }', effect: 'read' } as const;
  expect(JSON.parse(writeQuery(call, { _fields: 'name owner { name }' }))).toEqual({
    query: 'query { pet { name owner { name } } }',
    variables: {},
  });
  for (const _fields of ['id } } mutation { deletePet { id', 'id {', '', 'a(b: "{") } }', 'id # } }'])
    expect(() => writeQuery(call, { _fields })).toThrow('Cannot select the fields');
});

it('errors without data are errors', () => {
  const errors = [{ message: 'no' }];
  expect(findGraphqlError('x', { errors, data: null })).toMatchObject({
    word: 'invalid_input',
    details: { response: '[{"message":"no"}]' },
  });
  expect(findGraphqlError('x', { errors, data: { a: null } })).toBeDefined();
  expect(findGraphqlError('x', { errors, data: { a: 1 } })).toBeUndefined();
  expect(findGraphqlError('x', { data: { a: null } })).toBeUndefined();
});
