// lore mount login
import { readFileSync } from 'node:fs';
import type { Invocation } from '../core/command.ts';
import { LoreError } from '../core/error.ts';
import type { OAuthClient } from '../core/oauth/token.ts';
import type { Gateway } from '../services/gateway/gateway.ts';
import type { MountLogin } from '../services/gateway/login.ts';
import type { MountState } from '../services/gateway/mount/store.ts';
import { readEnvironment } from './environment.ts';
import { createLoginPage } from './login-page.ts';

type Options = { readonly [name: string]: string | undefined };

export async function logInToServer(gateway: Gateway, name: string, { options }: Invocation): Promise<MountState> {
  const given = options as Options;
  const login = { ...readWho(given), isClient: options['as-client'] === true || undefined };
  const page = createLoginPage();
  try {
    return await gateway.logIn(name, {
      ...login,
      scopes: given.scopes?.split(/[\s,]+/).filter(Boolean),
      port: given.callback === undefined ? undefined : Number(given.callback),
      show: page.show,
      ...(page.pasted && { pasted: page.pasted }),
    });
  } finally {
    page.close();
  }
}

/** Who logs in: nobody in particular, a client, or somebody whose identity another server confirms. */
function readWho(given: Options): Pick<MountLogin, 'client' | 'document' | 'assertion' | 'provider'> {
  const { client: id, assertion, 'identity-provider': tokenEndpoint, 'identity-client': providerId } = given;
  const isDocument = id?.startsWith('https://') === true;
  return {
    client: id === undefined || isDocument ? undefined : readClient(id, given),
    document: isDocument ? id : undefined,
    assertion: assertion && readEnvironment(assertion),
    provider: tokenEndpoint === undefined ? undefined : { tokenEndpoint, client: { id: providerId ?? id ?? '' } },
  };
}

function readClient(id: string, { 'client-secret': secret, 'client-key': file }: Options): OAuthClient {
  return { id, secret: secret && readEnvironment(secret), key: file && readKey(file) };
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new LoreError('invalid_input', `Cannot read the key "${file}": ${(error as NodeJS.ErrnoException).code}`);
  }
}
