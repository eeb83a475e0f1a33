// OAuth 2.0 client credentials: exchanges an id and a secret for an access token, which is kept in memory until it expires.
import type { Credential } from '../../../core/credential.ts';
import { hashHex } from '../../../core/crypto.ts';
import { LoreError } from '../../../core/error.ts';
import { send } from '../../../core/outgoing/send.ts';
import { isObject } from '../../../core/schema.ts';
import { splitAddress } from '../openapi/server.ts';
import type { Source } from '../source/source.ts';

interface Token {
  value: string;
  until: number;
}

const tokens = new Map<string, Token>();
const mostTokens = 100;
/** Renewed this long before it expires. */
const marginMs = 30_000;
const defaultSeconds = 300;

/** `secret`: the client's id and secret, separated by a colon. */
export async function fetchToken(
  { name, tokenUrl }: Credential & { tokenUrl: string },
  secret: string,
  scopes: readonly string[],
  source: Source,
  signal: AbortSignal,
): Promise<string> {
  const key = hashHex(JSON.stringify([source.name, name, tokenUrl, secret, scopes]));
  const known = tokens.get(key);
  if (known && known.until > Date.now()) return known.value;
  const { origin, path } = splitAddress(tokenUrl);
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  });
  const { status, body } = await send(
    {
      method: 'POST',
      origin,
      target: path || '/',
      headers: [
        ['authorization', `Basic ${Buffer.from(secret).toString('base64')}`],
        ['content-type', 'application/x-www-form-urlencoded'],
        ['accept', 'application/json'],
      ],
      body: form.toString(),
    },
    {
      reach: origin === source.origin ? source.reach : 'public',
      timeoutMs: 20_000,
      maxBytes: 100_000,
      redirects: 0,
      signal,
    },
  );
  const { access_token: value, expires_in: seconds } = status === 200 ? parse(body.toString('utf8')) : {};
  if (typeof value !== 'string') {
    throw new LoreError('forbidden', `Cannot get a token for "${name}": the server answered ${status}`, {
      hint: `Check the client's id and secret: lore forge login ${source.name} ${name}`,
    });
  }
  const lasts = (typeof seconds === 'number' ? seconds : defaultSeconds) * 1000;
  tokens.set(key, { value, until: Date.now() + lasts - marginMs });
  if (tokens.size > mostTokens) tokens.delete(tokens.keys().next().value as string);
  return value;
}

function parse(text: string): { [key: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
