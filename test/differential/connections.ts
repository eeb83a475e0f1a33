// Every official client over every transport it has, against a server process.
import {
  StreamableHTTPClientTransport as SecondHttp,
  SSEClientTransport as SecondSse,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as SecondStdio } from '@modelcontextprotocol/client/stdio';
import { SSEClientTransport as FirstSse } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { TestClient } from './client.ts';
import { connectSdkOne } from './sdk-one.ts';
import { connectSdkTwo } from './sdk-two.ts';

/** A server that can be started by a client, and one that is running. */
export interface Target {
  command: string;
  args: string[];
  env: Record<string, string>;
  url: string;
}

interface Connection {
  name: string;
  revision: string;
  stateless: boolean;
  /** What a client makes of the error for a resource that does not exist: the second one has but one code for it. */
  notFound: number;
  connect(target: Target): Promise<TestClient>;
}

const pin = { pin: '2026-07-28' };

function sseOf({ url }: Target): URL {
  return new URL(`${url}/sse`);
}

function started({ command, args, env }: Target) {
  return { command, args, env, stderr: 'ignore' as const };
}

const session = { revision: '2025-11-25', stateless: false, notFound: -32002 };
const secondSession = { ...session, notFound: -32602 };
const stateless = { revision: '2026-07-28', stateless: true, notFound: -32602 };

export const connections: Connection[] = [
  {
    name: 'first client, stdio',
    ...session,
    connect: (target) => connectSdkOne(new FirstStdio(started(target))),
  },
  {
    name: 'first client, HTTP',
    ...session,
    // Its own types do not agree under exactOptionalPropertyTypes.
    connect: ({ url }) => connectSdkOne(new FirstHttp(new URL(url)) as Transport),
  },
  {
    name: 'first client, SSE',
    ...session,
    connect: (target) => connectSdkOne(new FirstSse(sseOf(target))),
  },
  {
    name: 'second client in a session, stdio',
    ...secondSession,
    connect: (target) => connectSdkTwo(new SecondStdio(started(target)), 'legacy'),
  },
  {
    name: 'second client in a session, HTTP',
    ...secondSession,
    connect: ({ url }) => connectSdkTwo(new SecondHttp(new URL(url)), 'legacy'),
  },
  {
    name: 'second client in a session, SSE',
    ...secondSession,
    connect: (target) => connectSdkTwo(new SecondSse(sseOf(target)), 'legacy'),
  },
  {
    name: 'second client, stateless, stdio',
    ...stateless,
    connect: (target) => connectSdkTwo(new SecondStdio(started(target)), pin),
  },
  {
    name: 'second client, stateless, HTTP',
    ...stateless,
    connect: ({ url }) => connectSdkTwo(new SecondHttp(new URL(url)), pin),
  },
  {
    name: 'second client, free to choose, stdio',
    ...stateless,
    connect: (target) => connectSdkTwo(new SecondStdio(started(target)), 'auto'),
  },
  {
    name: 'second client, free to choose, HTTP',
    ...stateless,
    connect: ({ url }) => connectSdkTwo(new SecondHttp(new URL(url)), 'auto'),
  },
];
