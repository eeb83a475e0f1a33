// Entering the credentials of an API: `lore forge login`.
import type { Invocation } from '../core/command.ts';
import { LoreError } from '../core/error.ts';
import type { OAuthClient } from '../core/oauth/token.ts';
import type { Forge } from '../services/forge/forge.ts';
import type { SecurityScheme } from '../services/forge/openapi/security.ts';
import type { Source } from '../services/forge/source/source.ts';
import { createLoginPage } from './login-page.ts';
import { openBrowser } from './open-browser.ts';
import { readSecret } from './secret.ts';

async function listAllSchemes(forge: Forge, source: Source) {
  const { listSchemes } = await import('../services/forge/openapi/security.ts');
  const { document, resolver } = await forge.sources.api(source);
  return listSchemes(document, resolver);
}

export async function suggestLogin(forge: Forge, source: Source): Promise<string[]> {
  const { listCredentials } = await import('../services/forge/call/authorize.ts');
  const schemes = await listAllSchemes(forge, source);
  const known = new Set((await listCredentials(forge, source, schemes)).map(({ name }) => name));
  const missing = schemes.filter(({ id, kind }) => kind !== 'unsupported' && !known.has(id));
  return missing.map(({ id, kind }) => `Credentials: lore forge login ${source.name} ${id}   (${kind})`);
}

const forms = {
  apiKey: 'the key',
  bearer: 'the token',
  basic: 'user:password',
  oauth2: 'client_id:client_secret, or an access token (--client logs in with a browser)',
  unsupported: '',
};

export async function login(
  forge: Forge,
  name: string,
  wanted: string | undefined,
  { options, output }: Invocation,
): Promise<number> {
  const source = await forge.sources.get(name);
  const schemes = await listAllSchemes(forge, source);
  const scheme = wanted === undefined && schemes.length === 1 ? schemes[0] : schemes.find(({ id }) => id === wanted);
  if (options.remove === true) {
    const removed = await forge.credentials.remove(name, wanted);
    output.print(`Removed ${removed} ${removed === 1 ? 'credential' : 'credentials'} of ${name}.`);
    return 0;
  }
  if (!scheme || scheme.kind === 'unsupported') {
    throw new LoreError('invalid_input', `Cannot log in to "${name}": expected one of its security schemes`, {
      hint:
        schemes.length > 0
          ? `Schemes: ${schemes.map(({ id, kind }) => `${id} (${kind})`).join(', ')}.`
          : 'Its document has none.',
    });
  }
  if (await wantsLogin(scheme, options)) await logInAsPerson(forge, source, scheme, options);
  else await forge.credentials.put(name, await readCredential(source, scheme, options));
  const { proveSource } = await import('../services/forge/prove.ts');
  const proof = await proveSource(forge, source);
  if (output.json) output.printJson({ source: name, scheme: scheme.id, origin: source.origin, ...proof });
  else {
    output.print(`Stored ${scheme.id} of ${name}. It is sent only to ${source.origin}.`);
    output.print(proof.name === undefined ? `Unproved: ${proof.problem}` : `Ready: ${proof.name} was answered.`);
  }
  return 0;
}

type LoginOptions = Invocation['options'];

/** The secret of a scheme, as a person enters it or names it. */
async function readCredential(source: Source, scheme: SecurityScheme, options: LoginOptions) {
  const { env: variable } = options as { env?: string };
  const secret =
    variable === undefined ? { value: await readSecret(`${scheme.id}, ${forms[scheme.kind]}`) } : { variable };
  // An access token has no colon, and is sent as it is.
  const isExchanged = scheme.tokenUrl !== undefined && (secret.value === undefined || secret.value.includes(':'));
  return {
    name: scheme.id,
    origin: source.origin,
    ...secret,
    ...(isExchanged && { tokenUrl: scheme.tokenUrl as string }),
    ...(options.keychain === true && { isInKeychain: true }),
  };
}

/** A scheme with a login page, unless a secret is piped in or named. */
async function wantsLogin({ login }: SecurityScheme, options: LoginOptions): Promise<boolean> {
  if (!login) return false;
  // Without a client, only a server that describes itself may register one.
  const canRegister = login.metadata !== undefined && process.stdin.isTTY === true && !options.env;
  return options.client !== undefined || options.device === true || canRegister;
}

async function logInAsPerson(forge: Forge, source: Source, scheme: SecurityScheme, options: LoginOptions) {
  const { logIn } = await import('../services/forge/login.ts');
  const { client: id, env, scopes, callback: port } = options as { [name: string]: string | undefined };
  const { stderr } = process;
  const secret = env === undefined ? undefined : process.env[env];
  const client: OAuthClient | undefined = id === undefined ? undefined : { id, ...(secret && { secret }) };
  const page = createLoginPage();
  try {
    await logIn(forge, {
      source,
      scheme,
      client,
      isDevice: options.device === true,
      isInKeychain: options.keychain === true,
      scopes: scopes?.split(/[\s,]+/).filter(Boolean),
      port: readPort(port),
      ...(page.pasted && { pasted: page.pasted }),
      showAddress: page.show,
      showCode({ code, address, direct }) {
        stderr.write(`Enter the code ${code} at:\n\n  ${address}\n\n`);
        void openBrowser(direct ?? address);
      },
    });
  } finally {
    page.close();
  }
}

function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new LoreError('invalid_input', `Cannot use --callback "${text}": expected a port`);
}
