// How the stdio tests open a conversation in each era with the production server and the fixture service.
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { startServer } from '../../support/start-server.ts';
import { type Json, StdioClient } from '../../support/stdio-client.ts';
import { answerers } from './answers.ts';

export const sessionRevisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
export const statelessRevision = '2026-07-28';
export type Revision = (typeof sessionRevisions)[number] | typeof statelessRevision;

/** A client that can answer everything. */
export const ableClient: Json = { sampling: {}, elicitation: {}, roots: {} };

export const tasksExtension = 'io.modelcontextprotocol/tasks';

export async function startClient(settings?: Record<string, string>): Promise<StdioClient> {
  return new StdioClient(await startServer('test/conformance/fixture/main.ts', 'stdio', settings));
}

export async function startSession(
  revision: string,
  capabilities: Json = ableClient,
  settings?: Record<string, string>,
): Promise<StdioClient> {
  const client = await startClient(settings);
  client.answerers = answerers;
  await client.request('initialize', {
    protocolVersion: revision,
    capabilities,
    clientInfo: { name: 'stdio-test', version: '1' },
  });
  client.notify('notifications/initialized');
  return client;
}

/** For one test: its process ends with it, and then must have ended well. */
export async function open(start: () => Promise<StdioClient> = () => startClient()): Promise<StdioClient> {
  const client = await start();
  onTestFinished(() => endWell(client));
  return client;
}

/** For all tests around it, because starting a process is most of what a test takes. */
export function share(start: () => Promise<StdioClient> = () => startClient()): () => StdioClient {
  let client: StdioClient;
  beforeAll(async () => {
    client = await start();
  });
  afterAll(() => endWell(client));
  return () => client;
}

async function endWell(client: StdioClient): Promise<void> {
  expect(await client.end(), client.server.log()).toBe(0);
}

interface EnvelopeOptions {
  capabilities?: Json;
  logLevel?: string;
  progressToken?: string;
}

/** Params as a stateless request carries them. */
export function wrap(params: Json = {}, options: EnvelopeOptions = {}): Json {
  const { capabilities = ableClient, logLevel, progressToken } = options;
  return {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': statelessRevision,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
      'io.modelcontextprotocol/clientInfo': { name: 'stdio-test', version: '1' },
      ...(logLevel === undefined ? {} : { 'io.modelcontextprotocol/logLevel': logLevel }),
      ...(progressToken === undefined ? {} : { progressToken }),
    },
  };
}

/** The listen request that a message belongs to. */
export function subscriptionOf({ params, result }: { params?: Json; result?: Json }): unknown {
  const meta = (params ?? result)?._meta as Json | undefined;
  return meta?.['io.modelcontextprotocol/subscriptionId'];
}
