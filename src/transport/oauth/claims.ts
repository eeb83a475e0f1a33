// From the claims of a verified token to a caller: who it is, and what it may do. Which claim means what is a setting, because
// authorization servers differ.
import { parse } from 'node:path';
import type { Caller, CallerScope } from '../../core/call.ts';
import { isObject } from '../../core/schema.ts';

export type Claims = { readonly [name: string]: unknown };

/** The name of the claim for each, as the setting oauth_claims has it. */
export type ClaimNames = { readonly [meaning: string]: string };

export const meanings = ['person', 'teams', 'tenant'] as const;

/** Each scope includes those before it. */
export const scopeNames: Record<CallerScope, string> = {
  read: 'lore:read',
  write: 'lore:write',
  person: 'lore:admin',
};

/** It becomes part of the name of a schema and of a folder. */
const tenantName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$/;
const maxName = 200;

/** A text says why there is no caller. */
export function toCaller(claims: Claims, names: ClaimNames): Caller | string {
  // Only the client has that key, and there is no proof of it here: the token may be stolen.
  if (claims.cnf !== undefined) return 'it is bound to a key, which this server does not check';
  const person = nameOf(findClaim(claims, names.person ?? 'sub'));
  if (person === undefined) return 'it names no person';
  const tenant = names.tenant === undefined ? undefined : nameOf(findClaim(claims, names.tenant));
  if (names.tenant !== undefined && !tenantName.test(tenant ?? '')) return 'it names no tenant';
  const teams = names.teams === undefined ? undefined : namesOf(findClaim(claims, names.teams));
  return {
    id: `person:${person}`,
    scopes: scopesOf(claims),
    // Its files are on another machine.
    folder: parse(process.cwd()).root,
    identity: { person, ...(tenant !== undefined && { tenant }), ...(teams && { teams }) },
  };
}

function scopesOf({ scope, scp }: Claims): CallerScope[] {
  const given = [scope, scp].flatMap((value) => (typeof value === 'string' ? value.split(' ') : value));
  const scopes = Object.keys(scopeNames) as CallerScope[];
  return scopes.slice(0, scopes.findLastIndex((one) => given.includes(scopeNames[one])) + 1);
}

/** Some servers nest their claims; others use addresses, which contain dots, as names. */
function findClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (inner, part) => (isObject(inner) && Object.hasOwn(inner, part) ? inner[part] : undefined),
      claims,
    );
}

function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= maxName && /^[^\p{Cc}]+$/u.test(value) ? value : undefined;
}

function namesOf(value: unknown): string[] {
  const given = Array.isArray(value) ? value : typeof value === 'string' ? value.split(' ') : [];
  // Keycloak writes groups as paths.
  return given.flatMap((one) => nameOf(one)?.replace(/^\//, '') ?? []);
}
