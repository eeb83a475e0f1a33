// Connects to a server over HTTP, whichever of the two transports it has.

import { hasUsableHeaders } from '../protocol/header.ts';
import type { Params } from '../protocol/message.ts';
import { type Client, type ClientOptions, connectClient } from './client.ts';
import { type HttpUpstream, overHttp, StatusFailure } from './http-wire.ts';
import { overSse } from './sse-wire.ts';

/** Every server answers over HTTP, but one may be far away, or has to be started. */
const discoverMs = 20_000;

/** Arguments may be repeated in headers; the specification excludes tools whose annotations are not valid. */
const accepts = ({ inputSchema }: Params) => hasUsableHeaders(inputSchema);

export async function connectHttp(server: HttpUpstream, options: ClientOptions = {}): Promise<Client> {
  try {
    return await connectClient(overHttp(server), { discoverMs, accepts, ...options });
  } catch (error) {
    const isOlder = error instanceof StatusFailure && [400, 404, 405].includes(error.status);
    if (!isOlder) throw error;
    return connectClient(overSse(server), { ...options, era: 'session' }).catch((second: unknown) => {
      // The first refusal says more if there is no such stream either.
      throw second instanceof StatusFailure ? error : second;
    });
  }
}
