// Lorekeeper as the client under test: mounts the server that a scenario of the official suite opened, logs in where that is required,
// and calls each of its tools. The browser of a login is replaced by requests that follow its redirects.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Call, type ClientAnswer, createPlainCall, localCaller, type Questions } from '../../../src/core/call.ts';
import { isObject } from '../../../src/core/schema.ts';
import { ParkedCalls } from '../../../src/services/gateway/call/parked.ts';
import { type CallState, locateMounted, runMounted } from '../../../src/services/gateway/call/run.ts';
import { catalogOf, type MountedTool } from '../../../src/services/gateway/catalog.ts';
import { type Gateway, openGateway } from '../../../src/services/gateway/gateway.ts';
import { Lessons } from '../../../src/services/gateway/learn/lessons.ts';
import { LoginNeeded, type MountLogin } from '../../../src/services/gateway/login.ts';

type Json = { [key: string]: unknown };

const name = 'server';
const url = process.argv.at(-1) as string;
/** What a scenario says about the client. */
const given = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as {
  readonly toolCalls?: readonly { name: string; arguments: Json }[];
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly private_key_pem?: string;
  readonly valid_jwt?: string;
  readonly idp_client_id?: string;
  readonly idp_id_token?: string;
  readonly idp_token_endpoint?: string;
};
const calls: CallState = { parked: new ParkedCalls(), lessons: new Lessons() };

/** Of the scenario `auth/basic-cimd`; it is never fetched. */
const document = 'https://conformance-test.local/client-metadata.json';

const login: MountLogin = {
  client:
    given.client_id === undefined
      ? undefined
      : { id: given.client_id, secret: given.client_secret, key: given.private_key_pem },
  document,
  assertion: given.valid_jwt ?? given.idp_id_token,
  provider:
    given.idp_token_endpoint === undefined
      ? undefined
      : { tokenEndpoint: given.idp_token_endpoint, client: { id: given.idp_client_id ?? '' } },
  show: (address) => void browse(address),
};

async function browse(address: string): Promise<void> {
  const { status, headers } = await fetch(address, { redirect: 'manual' });
  const next = headers.get('location');
  if (status >= 300 && next !== null) await browse(new URL(next, address).href);
}

async function withLogin<T>(gateway: Gateway, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LoginNeeded)) throw error;
    await gateway.logIn(name, { ...login, scopes: error.scopes });
    return withLogin(gateway, work);
  }
}

/** A person who accepts what a form suggests. */
async function ask(questions: Questions): Promise<{ [key: string]: ClientAnswer }> {
  const answers = Object.entries(questions).map(([key, { params }]) => {
    const schema = (params as Json | undefined)?.requestedSchema;
    const content = Object.fromEntries(
      propertiesOf(schema).flatMap(([field, one]) => (isObject(one) ? [[field, one.default]] : [])),
    );
    return [key, { action: 'accept', content }];
  });
  return Object.fromEntries(answers) as { [key: string]: ClientAnswer };
}

function propertiesOf(schema: unknown): [name: string, schema: unknown][] {
  return Object.entries(isObject(schema) && isObject(schema.properties) ? schema.properties : {});
}

async function callAll(gateway: Gateway): Promise<void> {
  const catalog = catalogOf(gateway.store.get(name));
  for (const mounted of catalog) {
    const wanted = given.toolCalls?.find((one) => one.name === mounted.tool.name)?.arguments;
    const args = wanted ?? sampleArguments(mounted, catalog);
    const call = createPlainCall(localCaller, () => {}, { can: () => true, ask: ask as Call['ask'] });
    const located = await locateMounted(gateway, name, mounted.provided.name, localCaller);
    await withLogin(gateway, () => runMounted(gateway, calls, located, args, call, () => {}));
  }
}

/** A scenario compares a schema with what a client has seen of it. */
function sampleArguments({ schema }: MountedTool, catalog: readonly MountedTool[]): Json {
  const values = propertiesOf(schema).map(([key, one]) => [key, key === 'schema' ? catalog[0]?.schema : sampleOf(one)]);
  return Object.fromEntries(values);
}

function sampleOf(schema: unknown): unknown {
  const { type } = isObject(schema) ? schema : {};
  return type === 'string' ? 'text' : type === 'boolean' ? true : type === 'object' ? {} : 1;
}

const folder = mkdtempSync(join(tmpdir(), 'lore-client-'));
const gateway = openGateway({ folder, reserved: async () => [] });
try {
  await gateway.add({ name, url, addedAt: 0 }, {}).catch((error: unknown) => {
    if (!(error instanceof LoginNeeded)) throw error;
    return withLogin(gateway, () => gateway.logIn(name, login));
  });
  await callAll(gateway);
} finally {
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
}
