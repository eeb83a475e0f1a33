// An authorization server whose access tokens are signed (JWT). They are made here by hand, so that wrong ones can be made too.
import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { AuthorizationLab } from './authorization-server.ts';

export interface IssuerKey {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

export interface TokenIssuer {
  lab: AuthorizationLab;
  /** The keys that it publishes. The last one signs. */
  keys: IssuerKey[];
  /** Claims of every token, which `claims` replaces. */
  token(claims?: object, header?: object, key?: IssuerKey): string;
  /** Tokens that it knows by introspection, with their claims. */
  opaque: Map<string, object>;
  /** How often the keys were read. */
  readonly keyReads: number;
}

export function createKey(kid: string = randomUUID(), type: 'ec' | 'rsa' = 'ec'): IssuerKey {
  const pair =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return { kid, ...pair };
}

/** As it is published. */
export function toJwk({ kid, publicKey }: IssuerKey): object {
  return { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' };
}

export async function openTokenIssuer(audience: string): Promise<TokenIssuer> {
  const lab = await AuthorizationLab.open();
  const { origin } = lab;
  lab.metadata = {
    jwks_uri: `${origin}/keys`,
    introspection_endpoint: `${origin}/introspect`,
    response_types_supported: ['code'],
  };
  let keyReads = 0;
  const issuer: TokenIssuer = {
    lab,
    keys: [createKey()],
    opaque: new Map(),
    token(claims = {}, header = {}, key = issuer.keys.at(-1) as IssuerKey) {
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: origin, aud: audience, sub: 'ada', scope: 'lore:read lore:write', iat: now, exp: now + 300 };
      const head = { alg: 'ES256', kid: key.kid, ...header };
      const body = [head, { ...usual, ...claims }].map((part) => toBase64(JSON.stringify(part))).join('.');
      return `${body}.${signatureOf(body, head.alg, key)}`;
    },
    get keyReads() {
      return keyReads;
    },
  };
  lab.documents['GET /keys'] = () => {
    keyReads++;
    return { keys: issuer.keys.map(toJwk) };
  };
  lab.documents['POST /introspect'] = (form, headers) => {
    const isKnown = headers.authorization === `Basic ${btoa('lore:secret')}`;
    const claims = isKnown ? issuer.opaque.get(form.get('token') ?? '') : undefined;
    return claims ? { active: true, ...claims } : { active: false };
  };
  lab.mint = (asked) => issuer.token({ aud: asked.get('resource'), scope: asked.get('scope') ?? '' });
  return issuer;
}

function signatureOf(body: string, alg: string, { privateKey, publicKey }: IssuerKey): string {
  if (alg === 'none') return '';
  // The classic confusion: the public key, which everybody has, as a shared secret.
  const secret = publicKey.export({ format: 'pem', type: 'spki' });
  if (alg === 'HS256') return createHmac('sha256', secret).update(body).digest('base64url');
  return sign('sha256', Buffer.from(body), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url');
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64url');
}
