// The official client of the second generation (@modelcontextprotocol/client), which knows sessions and the stateless
// revision and is told which to speak.
import { Client, type LoggingLevel, type Transport, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { answers, capabilities, clientInfo, type Json, type TestClient } from './client.ts';

export async function connectSdkTwo(transport: Transport, mode: VersionNegotiationMode): Promise<TestClient> {
  const client = new Client(clientInfo, { capabilities, versionNegotiation: { mode } });
  const heard: TestClient['heard'] = [];
  client.setRequestHandler('elicitation/create', () => answers['elicitation/create']);
  client.setRequestHandler('sampling/createMessage', () => answers['sampling/createMessage']);
  client.setRequestHandler('roots/list', () => answers['roots/list']);
  client.fallbackNotificationHandler = async (notification) => {
    heard.push(notification as TestClient['heard'][number]);
  };
  await client.connect(transport);
  const stateless = client.getProtocolEra() === 'modern';
  return {
    heard,
    get revision() {
      return client.getNegotiatedProtocolVersion();
    },
    get serverName() {
      return client.getServerVersion()?.name;
    },
    listTools: (cursor) => client.listTools(cursor === undefined ? {} : { cursor }, { cacheMode: 'bypass' }),
    listResources: () => client.listResources(),
    listTemplates: () => client.listResourceTemplates(),
    listPrompts: () => client.listPrompts(),
    callTool: (name, args = {}, { signal, onProgress, meta } = {}) =>
      client.callTool(
        { name, arguments: args, ...(meta ? { _meta: meta } : {}) },
        {
          ...(signal ? { signal } : {}),
          ...(onProgress ? { onprogress: (progress) => onProgress({ ...progress }) } : {}),
        },
      ),
    readResource: (uri) => client.readResource({ uri }),
    getPrompt: (name, args = {}) => client.getPrompt({ name, arguments: args }),
    complete: (params) => client.complete(params as unknown as Parameters<Client['complete']>[0]),
    greet: async () => (stateless ? await client.discover() : await client.ping()) as Json,
    setLogLevel: async (level) => (stateless ? undefined : client.setLoggingLevel(level as LoggingLevel)),
    follow: (uri) =>
      stateless
        ? client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] })
        : client.subscribeResource({ uri }),
    close: () => client.close(),
  };
}
