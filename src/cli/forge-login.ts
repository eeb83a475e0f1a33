// Entering the credentials of an API: `lore forge login`.
import type { Invocation } from '../core/command.ts';
import { LoreError } from '../core/error.ts';
import type { Forge } from '../services/forge/forge.ts';
import type { Source } from '../services/forge/source/source.ts';
import { readAll } from './input.ts';

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
  oauth2: 'client_id:client_secret, or an access token',
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
  const { env: variable } = options as { env?: string };
  const secret =
    variable === undefined ? { value: await readSecret(`${scheme.id}, ${forms[scheme.kind]}`) } : { variable };
  // An access token has no colon, and is sent as it is.
  const isExchanged = scheme.tokenUrl !== undefined && (secret.value === undefined || secret.value.includes(':'));
  const credential = {
    name: scheme.id,
    origin: source.origin,
    ...secret,
    ...(isExchanged && { tokenUrl: scheme.tokenUrl as string }),
  };
  await forge.credentials.put(name, credential);
  const { proveSource } = await import('../services/forge/prove.ts');
  const proof = await proveSource(forge, source);
  if (output.json) output.printJson({ source: name, scheme: scheme.id, origin: source.origin, ...proof });
  else {
    output.print(`Stored ${scheme.id} of ${name}. It is sent only to ${source.origin}.`);
    output.print(proof.name === undefined ? `Unproved: ${proof.problem}` : `Ready: ${proof.name} was answered.`);
  }
  return 0;
}

/** From a pipe, or typed without being shown. */
async function readSecret(what: string): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY !== true) return checkSecret(await readAll(stdin));
  stderr.write(`Enter ${what}: `);
  const { createInterface } = await import('node:readline/promises');
  const { Writable } = await import('node:stream');
  const silent = new Writable({ write: (_, __, done) => done() });
  const terminal = createInterface({ input: stdin, output: silent, terminal: true });
  try {
    return checkSecret(await terminal.question(''));
  } finally {
    terminal.close();
    stderr.write('\n');
  }
}

function checkSecret(text: string): string {
  const secret = text.trim();
  if (secret !== '' && !/[\r\n]/.test(secret)) return secret;
  throw new LoreError('invalid_input', 'Cannot store the credential: expected one line');
}
