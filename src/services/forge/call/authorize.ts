// Credentials of a call: which scheme applies, and where its secret goes in the request. A secret is sent only to the origin
// it was entered for.
import { type Credential, revealCredential } from '../../../core/credential.ts';
import { LoreError } from '../../../core/error.ts';
import { fetchClientToken, readClient } from '../../../core/oauth/client-credentials.ts';
import { type OAuthGrant, useGrant } from '../../../core/oauth/grant.ts';
import type { OAuthNetwork } from '../../../core/oauth/network.ts';
import type { Forge } from '../forge.ts';
import type { PlacedCredential } from '../openapi/request.ts';
import {
  chooseSecurity,
  type NeededScheme,
  type SecurityAlternative,
  type SecurityScheme,
} from '../openapi/security.ts';
import type { Source } from '../source/source.ts';

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

export interface AuthorizeOptions {
  /** Of the server that gets the credentials. */
  origin: string;
  signal: AbortSignal;
  /** Values that the server did not accept; those that can be renewed are. */
  refused?: readonly string[];
}

export async function authorize(
  forge: Pick<Forge, 'credentials'>,
  source: Source,
  alternatives: readonly SecurityAlternative[],
  { origin, signal, refused = [] }: AuthorizeOptions,
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
        : `Ask the user to run: lore forge login ${source.name} ${first?.scheme.id}, or to set ${variableOf(source.name, first?.scheme.id ?? '')}`;
    throw new LoreError(error.word, error.message, { hint });
  }
  return Promise.all(
    chosen.map(async (needed) => {
      const found = usable.find(({ name }) => name === needed.scheme.id) as Credential;
      const credential = await forge.credentials.unlock(source.name, found);
      // A person has logged in there.
      const isTrusted = (server: string) => credential.grant !== undefined || server === source.origin;
      const network = {
        reachOf: (server: string) => (isTrusted(server) ? source.reach : 'public'),
        signal,
      };
      const wanted = { forge, source, credential, network, refused };
      try {
        return await place(needed, wanted);
      } catch (error) {
        if (!(error instanceof LoreError) || (!credential.grant && credential.tokenUrl === undefined)) throw error;
        const hint = `Log in again: lore forge login ${source.name} ${credential.name}`;
        throw new LoreError(error.word, error.message, { hint, ...(error.details && { details: error.details }) });
      }
    }),
  );
}

interface WantedSecret {
  forge: Pick<Forge, 'credentials'>;
  source: Source;
  credential: Credential;
  network: OAuthNetwork;
  refused: readonly string[];
}

async function place({ scheme, scopes }: NeededScheme, wanted: WantedSecret): Promise<PlacedCredential> {
  const header = (value: string): PlacedCredential => ({ in: 'header', name: 'Authorization', value });
  const { credential } = wanted;
  switch (scheme.kind) {
    case 'apiKey':
      return { in: scheme.in ?? 'header', name: scheme.name ?? '', value: revealCredential(credential) };
    case 'basic':
      return header(`Basic ${Buffer.from(revealCredential(credential)).toString('base64')}`);
    case 'oauth2':
    case 'bearer':
      return header(`Bearer ${await findToken(wanted, scopes)}`);
    case 'unsupported':
      throw new LoreError('unavailable', `Cannot use the security scheme "${scheme.id}": its type is not supported`);
  }
}

/** The token of a login, one for the client's own credentials, or one that a person entered. */
async function findToken({ forge, source, credential, network, refused }: WantedSecret, scopes: readonly string[]) {
  const { name, grant, tokenUrl: tokenEndpoint } = credential;
  const used = refused.find((value) => value.startsWith('Bearer '))?.slice('Bearer '.length);
  if (grant) {
    const record = {
      read: async () => grant,
      update: async (change: (current: OAuthGrant) => Promise<OAuthGrant>) => {
        const changed = await forge.credentials.update(source.name, name, async (current) => {
          const next = await change(current.grant as OAuthGrant);
          return next === current.grant ? current : { ...current, grant: next };
        });
        return changed.grant as OAuthGrant;
      },
    };
    return (await useGrant(record, network, used)).accessToken;
  }
  const secret = revealCredential(credential);
  if (tokenEndpoint === undefined) return secret;
  return fetchClientToken({ server: { tokenEndpoint }, client: readClient(secret), scopes, refused: used }, network);
}
