// Credentials of a call: which scheme applies, and where its secret goes in the request. A secret is sent only to the origin
// it was entered for.
import { type Credential, revealCredential } from '../../../core/credential.ts';
import { LoreError } from '../../../core/error.ts';
import type { Forge } from '../forge.ts';
import type { PlacedCredential } from '../openapi/request.ts';
import {
  chooseSecurity,
  type NeededScheme,
  type SecurityAlternative,
  type SecurityScheme,
} from '../openapi/security.ts';
import type { Source } from '../source/source.ts';
import { fetchToken } from './token.ts';

/** `LORE_FORGE_PETSTORE_API_KEY` for the scheme `api_key` of the source `petstore`. */
export function variableOf(source: string, scheme: string): string {
  return `LORE_FORGE_${source}_${scheme}`.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
}

/** The credentials of a source: variables by their usual names first, then those that were entered. */
export async function listCredentials(
  { credentials }: Pick<Forge, 'credentials'>,
  source: Source,
  schemes: readonly SecurityScheme[],
): Promise<Credential[]> {
  const usual = schemes.flatMap(({ id, tokenUrl }): Credential[] => {
    const variable = variableOf(source.name, id);
    if (!process.env[variable]) return [];
    return [{ name: id, origin: source.origin, variable, ...(tokenUrl !== undefined && { tokenUrl }) }];
  });
  return [...usual, ...(await credentials.list(source.name))];
}

export async function authorize(
  forge: Pick<Forge, 'credentials'>,
  source: Source,
  alternatives: readonly SecurityAlternative[],
  origin: string,
  signal: AbortSignal,
): Promise<PlacedCredential[]> {
  if (alternatives.every((needed) => needed.length === 0)) return [];
  const known = await listCredentials(
    forge,
    source,
    alternatives.flat().map(({ scheme }) => scheme),
  );
  const usable = known.filter((credential) => credential.origin === origin);
  let chosen: SecurityAlternative;
  try {
    chosen = chooseSecurity(alternatives, ({ id }) => usable.some(({ name }) => name === id));
  } catch (error) {
    if (!(error instanceof LoreError)) throw error;
    const [first] = alternatives.flat();
    const hint =
      known.length > usable.length
        ? `The credentials of "${source.name}" are for ${source.origin}; this operation is at ${origin}.`
        : `Ask the user to run: lore forge login ${source.name} ${first?.scheme.id}`;
    throw new LoreError(error.word, error.message, { hint });
  }
  return Promise.all(
    chosen.map((needed) => {
      const credential = usable.find(({ name }) => name === needed.scheme.id) as Credential;
      return place(needed, credential, source, signal);
    }),
  );
}

async function place(
  { scheme, scopes }: NeededScheme,
  credential: Credential,
  source: Source,
  signal: AbortSignal,
): Promise<PlacedCredential> {
  const secret = revealCredential(credential);
  const header = (value: string): PlacedCredential => ({ in: 'header', name: 'Authorization', value });
  switch (scheme.kind) {
    case 'apiKey':
      return { in: scheme.in ?? 'header', name: scheme.name ?? '', value: secret };
    case 'basic':
      return header(`Basic ${Buffer.from(secret).toString('base64')}`);
    case 'oauth2':
      if (credential.tokenUrl === undefined) return header(`Bearer ${secret}`);
      return header(
        `Bearer ${await fetchToken({ ...credential, tokenUrl: credential.tokenUrl }, secret, scopes, source, signal)}`,
      );
    case 'bearer':
      return header(`Bearer ${secret}`);
    case 'unsupported':
      throw new LoreError('unavailable', `Cannot use the security scheme "${scheme.id}": its type is not supported`);
  }
}
