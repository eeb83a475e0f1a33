// The official client of the first generation (@modelcontextprotocol/sdk), which knows sessions alone.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  type LoggingLevel,
} from '@modelcontextprotocol/sdk/types.js';
import { answers, capabilities, clientInfo, type Json, type TestClient } from './client.ts';

export async function connectSdkOne(transport: Transport): Promise<TestClient> {
  const client = new Client(clientInfo, { capabilities });
  const heard: TestClient['heard'] = [];
  client.setRequestHandler(ElicitRequestSchema, () => answers['elicitation/create']);
  client.setRequestHandler(CreateMessageRequestSchema, () => answers['sampling/createMessage']);
  client.setRequestHandler(ListRootsRequestSchema, () => answers['roots/list']);
  client.fallbackNotificationHandler = async (notification) => {
    heard.push(notification as TestClient['heard'][number]);
  };
  let revision: string | undefined;
  const { setProtocolVersion } = transport;
  transport.setProtocolVersion = (version) => {
    revision = version;
    setProtocolVersion?.call(transport, version);
  };
  await client.connect(transport);
  return {
    heard,
    get revision() {
      return revision;
    },
    get serverName() {
      return client.getServerVersion()?.name;
    },
    listTools: (cursor) => client.listTools(cursor === undefined ? {} : { cursor }),
    listResources: () => client.listResources(),
    listTemplates: () => client.listResourceTemplates(),
    listPrompts: () => client.listPrompts(),
    callTool: (name, args = {}, { signal, onProgress, meta } = {}) =>
      client.callTool({ name, arguments: args, ...(meta ? { _meta: meta } : {}) }, undefined, {
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onprogress: (progress) => onProgress({ ...progress }) } : {}),
      }),
    readResource: (uri) => client.readResource({ uri }),
    getPrompt: (name, args = {}) => client.getPrompt({ name, arguments: args }),
    complete: (params) => client.complete(params as unknown as Parameters<Client['complete']>[0]),
    greet: () => client.ping() as Promise<Json>,
    setLogLevel: (level) => client.setLoggingLevel(level as LoggingLevel),
    follow: (uri) => client.subscribeResource({ uri }),
    close: () => client.close(),
  };
}
