// A transport of the first official client that ends in a server of ours in the same process.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { type App, localCaller } from '../../src/index.ts';
import type { Link } from '../../src/protocol/link.ts';
import { Session } from '../../src/protocol/session.ts';

export function createInProcessTransport(app: App): Transport {
  const transport: Transport = {
    async start() {},
    async send(message) {
      const reply = await app.protocol.receive(JSON.stringify(message), link);
      if (reply) deliver(reply.text);
    },
    async close() {
      await app.stop();
      transport.onclose?.();
    },
  };
  const deliver = (text: string) => transport.onmessage?.(JSON.parse(text) as JSONRPCMessage);
  const link: Link = { caller: localCaller, session: new Session('in process', deliver), send: deliver };
  return transport;
}
