// A login with a browser: authorization code with PKCE (RFC 7636, OAuth 2.1), whose answer must come from the server that was
// asked (RFC 9207).
import { loadCrypto } from '../crypto.ts';
import { LoreError } from '../error.ts';
import { openCallback } from './callback.ts';
import { createGrant, type LoginRequest, type OAuthGrant } from './grant.ts';
import { checkEndpoint, describeRefusal, type OAuthNetwork } from './network.ts';
import { createProofKey, proofAlgorithm } from './proof.ts';
import type { AuthorizationServer } from './server.ts';
import { type OAuthClient, requestToken } from './token.ts';

export interface BrowserLogin extends Omit<LoginRequest, 'client'> {
  /** A client may be registered for the address that the browser returns to. */
  client: OAuthClient | ((redirectUri: string) => Promise<OAuthClient>);
  port?: number | undefined;
  /** Ask for tokens that are bound to a key, if the server issues them: the caller can prove that it has it. */
  canProve?: boolean;
  /** Opens the address in a browser, or prints it. */
  show(address: string): void;
  /** The address that the browser ended at, if it runs on another machine and a person enters it. */
  pasted?: Promise<string>;
}

export async function logInWithBrowser(login: BrowserLogin, network: OAuthNetwork): Promise<OAuthGrant> {
  const { server, scopes, resource } = login;
  if (server.challengeMethods && !server.challengeMethods.includes('S256'))
    throw new LoreError('unavailable', 'Cannot log in: the server does not support PKCE with S256');
  const [state, verifier] = [randomText(), randomText()];
  const callback = await openCallback(state, login.port);
  try {
    const { redirectUri } = callback;
    const client = typeof login.client === 'function' ? await login.client(redirectUri) : login.client;
    login.show(
      addressOf(server, {
        response_type: 'code',
        client_id: client.id,
        redirect_uri: redirectUri,
        scope: scopes.join(' ') || undefined,
        state,
        code_challenge: loadCrypto().createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        resource,
      }),
    );
    const answers = [callback.answer, ...(login.pasted ? [login.pasted.then(readPasted)] : [])];
    const answer = await orAborted(Promise.race(answers), network.signal);
    const code = checkAnswer(answer, state, server);
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      resource,
    };
    const proofKey = login.canProve && server.proofAlgorithms?.includes(proofAlgorithm) ? createProofKey() : undefined;
    const token = await requestToken(server, client, form, network, proofKey);
    return createGrant({ server, client, scopes, resource }, token, proofKey);
  } finally {
    callback.close();
  }
}

/** 256 random bits, in characters that a URL may contain. */
function randomText(): string {
  return loadCrypto().randomBytes(32).toString('base64url');
}

function addressOf(
  { authorizationEndpoint = '' }: AuthorizationServer,
  parameters: { readonly [name: string]: string | undefined },
): string {
  const url = checkEndpoint(authorizationEndpoint, 'address of the login page');
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

function readPasted(text: string): URLSearchParams {
  if (URL.canParse(text.trim())) return new URL(text.trim()).searchParams;
  throw new LoreError('invalid_input', 'Cannot log in: expected the whole address that the browser ended at');
}

function checkAnswer(answer: URLSearchParams, state: string, { issuer, sendsIssuer }: AuthorizationServer): string {
  if (answer.get('state') !== state)
    throw new LoreError('forbidden', 'Cannot log in: the answer belongs to another login');
  const from = answer.get('iss');
  if (issuer !== undefined && (from === null ? sendsIssuer === true : from !== issuer))
    throw new LoreError('forbidden', `Cannot log in: the answer does not come from "${issuer}"`);
  const code = answer.get('code');
  if (code !== null) return code;
  const error = describeRefusal({ status: 0, body: { error: answer.get('error') ?? 'no code' } });
  throw new LoreError('forbidden', `Cannot log in: the server refused (${error})`);
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
