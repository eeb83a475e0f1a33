// Every query and mutation of a GraphQL schema: graphql-js validates the documents, and executes some on a server with made-up data.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { send } from '../../src/core/outgoing/send.ts';
import { convertGraphql } from '../../src/services/forge/graphql/convert.ts';
import { writeQuery } from '../../src/services/forge/graphql/query.ts';
import { readSdl } from '../../src/services/forge/graphql/sdl.ts';
import { Api } from '../../src/services/forge/openapi/api.ts';
import { type JsonObject, openDocument } from '../../src/services/forge/openapi/document.ts';
import { describeInput } from '../../src/services/forge/openapi/model-schema.ts';
import { buildRequest } from '../../src/services/forge/openapi/request.ts';
import { sample } from './sample.ts';

/** The part of graphql-js that is used. */
interface GraphqlJs {
  buildSchema(text: string, options: object): object;
  parse(text: string): object;
  validate(schema: object, document: object): { message: string }[];
  graphql(options: object): Promise<{ errors?: { message: string }[]; data?: unknown }>;
  getNullableType(type: unknown): GraphqlJsType;
  isListType(type: unknown): boolean;
  isLeafType(type: unknown): boolean;
  isEnumType(type: unknown): boolean;
}
interface GraphqlJsType {
  name: string;
  ofType: unknown;
  getValues(): { value: unknown }[];
}

const executed = 20;

export async function run({ root, schema: file }: { root: string; schema: string }): Promise<void> {
  const js = createRequire(join(root, 'bench/package.json'))('graphql') as GraphqlJs;
  const text = readFileSync(file, 'utf8');
  const real = js.buildSchema(text, { assumeValidSDL: true });
  const made = (type: unknown): unknown => {
    const bare = js.getNullableType(type);
    if (js.isListType(bare)) return [made(bare.ofType)];
    if (js.isEnumType(bare)) return bare.getValues()[0]?.value;
    if (!js.isLeafType(bare)) return {};
    return { Int: 1, Float: 1.5, Boolean: true }[bare.name] ?? 'text';
  };
  const fieldResolver = (_: unknown, __: unknown, ___: unknown, info: { returnType: unknown }) => made(info.returnType);
  const typeResolver = (
    _: unknown,
    __: unknown,
    info: { schema: { getPossibleTypes(type: unknown): { name: string }[] } },
    type: unknown,
  ) => info.schema.getPossibleTypes(type)[0]?.name;
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const { query: source, variables: variableValues } = JSON.parse(Buffer.concat(parts).toString());
    response.end(
      JSON.stringify(await js.graphql({ schema: real, source, variableValues, fieldResolver, typeResolver })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  const started = performance.now();
  const api = new Api(openDocument(convertGraphql(readSdl(text), 'schema', endpoint)));
  console.log(`${api.names.length} operations in ${Math.round(performance.now() - started)} ms`);
  const counts = { valid: 0, answered: 0 };
  for (const name of api.names) {
    const operation = api.operation(name);
    const { query } = JSON.parse(writeQuery(operation.graphql as NonNullable<typeof operation.graphql>, {}));
    const [error] = js.validate(real, js.parse(query));
    if (error) console.log(`${name}: ${error.message}`);
    else counts.valid++;
    if (counts.answered >= executed) continue;
    const schema = describeInput(api, operation);
    const { _fields, ...args } = (sample(schema, schema) ?? {}) as JsonObject;
    const readFile = async () => ({ bytes: Buffer.from(''), name: '', type: '' });
    const request = await buildRequest(api, operation, args, { readFile });
    const { body } = await send(request, { reach: 'private', timeoutMs: 10_000, maxBytes: 10_000_000 });
    const { errors } = JSON.parse(body.toString()) as { errors?: { message: string }[] };
    if (errors) console.log(`${name}: ${errors[0]?.message}`);
    else counts.answered++;
  }
  console.log(counts);
  server.closeAllConnections();
  server.close();
}
