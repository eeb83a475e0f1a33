// The built server as an OAuth resource server, with an authorization server on this machine.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createFolder } from './folder.ts';
import { serveLore } from './http.ts';
import { openTokenIssuer } from './token-issuer.ts';

export const resource = 'https://lore.example.com/mcp';

const metadata = 'https://lore.example.com/.well-known/oauth-protected-resource/mcp';
export const usualChallenge = { scope: 'lore:read lore:write', resource_metadata: metadata };

export async function serveResource(settings: Record<string, string> = {}, audience = resource, claims = {}) {
  const issuer = await openTokenIssuer(audience);
  onTestFinished(() => issuer.lab.server.close());
  const folder = createFolder('oauth');
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ oauth_claims: claims }));
  const { url, origin } = await serveLore(
    {
      LORE_CONFIG: join(folder, 'config.json'),
      LORE_DB: join(folder, 'lore.db'),
      HOME: folder,
      LORE_OAUTH_ISSUER: issuer.lab.origin,
      LORE_OAUTH_RESOURCE: audience,
      LORE_OAUTH_CLIENT_ID: 'lore',
      LORE_OAUTH_CLIENT_SECRET: 'secret',
      ...settings,
    },
    folder,
  );
  const list = (token: string) => fetch(`${origin}/mcp/tools/list`, { headers: { Authorization: `Bearer ${token}` } });
  return { issuer, url, origin, list };
}

/** The parameters of WWW-Authenticate. */
export function challengeOf(response: Response): Record<string, string> {
  const header = response.headers.get('www-authenticate') ?? '';
  return Object.fromEntries([...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
}
