// An authorization server on this machine: codes with PKCE, device codes, client credentials, registration and refresh tokens
// that work once. `browse` does what a browser does with the address of a login, whose page sends a real one back at once.
import { createHash, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { openRecordingServer, type RecordedRequest, type RecordingServer } from './recording-server.ts';

type Json = Record<string, unknown>;

export class AuthorizationLab {
  readonly server: RecordingServer;
  readonly clients = new Map<string, { secret?: string; redirectUris: string[] }>([['app', { redirectUris: [] }]]);
  /** Refresh tokens that were used a second time. */
  reused = 0;
  refreshed = 0;
  /** Changes of the metadata, and of what a login returns to the browser. */
  metadata: Json = {};
  answer: Record<string, string> = {};
  /** How often a device asks in vain. */
  pending = ['authorization_pending', 'slow_down'];
  readonly access = new Set<string>();
  /** The scopes that its user allows, whatever a client asks for. */
  granted: string | undefined;
  /** What it answers to further requests. */
  documents: Record<string, (form: URLSearchParams, headers: Record<string, string>) => Json> = {};
  /** Creates an access token for a login, by what the client asked for. */
  mint: (asked: URLSearchParams) => string = () => `access-${randomUUID()}`;
  readonly #codes = new Map<string, URLSearchParams>();
  /** What the login asked for, and whether it was used. */
  readonly #refresh = new Map<string, { asked: URLSearchParams; isUsed: boolean }>();

  static async open(): Promise<AuthorizationLab> {
    return new AuthorizationLab(await openRecordingServer());
  }

  private constructor(server: RecordingServer) {
    this.server = server;
    server.answer = (request, response) => this.#serve(request, response);
  }

  get origin(): string {
    return this.server.origin;
  }

  /** The forms that the token endpoint received. */
  get asked(): Record<string, string>[] {
    const forms = this.server.requests.filter(({ line }) => line === 'POST /token');
    return forms.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  }

  /** Approves the login and returns the address that the browser would go to. */
  approve(address: string): string {
    const asked = new URL(address).searchParams;
    const code = randomUUID();
    this.#codes.set(code, asked);
    const back = new URL(asked.get('redirect_uri') as string);
    const answer = { code, state: asked.get('state') as string, iss: this.origin, ...this.answer };
    for (const [name, value] of Object.entries(answer)) if (value !== '') back.searchParams.set(name, value);
    return back.href;
  }

  async browse(address: string): Promise<string> {
    return (await fetch(this.approve(address))).text();
  }

  issue(seconds = 3600, asked = new URLSearchParams()): Json {
    const scope = this.granted ?? asked.get('scope') ?? undefined;
    const allowed = new URLSearchParams([...asked].filter(([name]) => name !== 'scope'));
    if (scope !== undefined) allowed.set('scope', scope);
    const [access_token, refresh_token] = [this.mint(allowed), `refresh-${randomUUID()}`];
    this.access.add(access_token);
    this.#refresh.set(refresh_token, { asked: allowed, isUsed: false });
    return { access_token, refresh_token, token_type: 'Bearer', expires_in: seconds, scope };
  }

  #serve({ line, headers, body }: RecordedRequest, response: ServerResponse): void {
    const send = (status: number, value: Json) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const form = new URLSearchParams(body);
    if (line === 'GET /.well-known/oauth-authorization-server') return void send(200, this.#describe());
    if (line.startsWith('GET /authorize?'))
      return void response.writeHead(302, { location: this.approve(this.origin + line.slice('GET '.length)) }).end();
    if (line === 'POST /register') {
      const id = `client-${this.clients.size}`;
      const asked = JSON.parse(body) as { redirect_uris: string[] };
      this.clients.set(id, { redirectUris: asked.redirect_uris });
      return void send(201, { ...asked, client_id: id });
    }
    if (line === 'POST /device')
      return void send(200, {
        device_code: 'device',
        user_code: 'WDJB-MJHT',
        verification_uri: `${this.origin}/activate`,
        interval: 0,
        expires_in: 60,
      });
    if (line === 'POST /token') {
      const client = this.#authenticate(headers.authorization, form);
      const result = client === undefined ? { error: 'invalid_client' } : this.#exchange(form, client);
      return void send(result.error === undefined ? 200 : 400, result);
    }
    const document = this.documents[line];
    if (document) return void send(200, document(form, headers));
    const bearer = headers.authorization?.replace('Bearer ', '') ?? '';
    if (this.access.has(bearer)) return void send(200, { ok: true });
    return void send(line.startsWith('GET /api') ? 401 : 404, {});
  }

  #describe(): Json {
    const { origin } = this;
    return {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      device_authorization_endpoint: `${origin}/device`,
      registration_endpoint: `${origin}/register`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ...this.metadata,
    };
  }

  /** The id of the client, if its secret is right. */
  #authenticate(authorization: string | undefined, form: URLSearchParams): string | undefined {
    const [id, secret] = authorization
      ? atob(authorization.replace('Basic ', ''))
          .split(':')
          .map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
      : [form.get('client_id') ?? '', form.get('client_secret') ?? undefined];
    const known = this.clients.get(id ?? '');
    return known && known.secret === secret ? id : undefined;
  }

  #exchange(form: URLSearchParams, client: string): Json {
    switch (form.get('grant_type')) {
      case 'client_credentials':
        return { ...this.issue(), refresh_token: undefined };
      case 'authorization_code': {
        const asked = this.#codes.get(form.get('code') ?? '');
        this.#codes.delete(form.get('code') ?? '');
        const challenge = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url');
        const fits =
          asked?.get('code_challenge') === challenge &&
          asked.get('client_id') === client &&
          asked.get('redirect_uri') === form.get('redirect_uri');
        return fits ? this.issue(3600, asked) : { error: 'invalid_grant' };
      }
      case 'refresh_token': {
        const token = this.#refresh.get(form.get('refresh_token') ?? '');
        if (token?.isUsed) this.reused++;
        if (!token || token.isUsed) return { error: 'invalid_grant' };
        token.isUsed = true;
        this.refreshed++;
        return this.issue(3600, token.asked);
      }
      default: {
        const error = this.pending.shift();
        return error === undefined ? this.issue() : { error };
      }
    }
  }
}
