// Logins of a person to an API: tokens are stored, sent, and renewed once, whatever number of processes needs them.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OAuthGrant } from '../../src/core/oauth/grant.ts';
import { type ForgeLogin, logIn } from '../../src/services/forge/login.ts';
import { listSchemes } from '../../src/services/forge/openapi/security.ts';
import { AuthorizationLab } from '../support/authorization-server.ts';
import { bundle } from '../support/bundle.ts';
import { ForgeLab, type Json } from '../support/forge.ts';

let lab: ForgeLab;
let idp: AuthorizationLab;
beforeEach(async () => {
  [lab, idp] = [await ForgeLab.open(), await AuthorizationLab.open()];
});
afterEach(async () => {
  await lab.close();
  await idp.server.close();
});

/** The API is on the same server as the login. */
const api = (scheme: Json, version: Json = { openapi: '3.1.0' }) => ({
  ...version,
  info: { title: 'Mail' },
  servers: [{ url: idp.origin }],
  paths: { '/api': { get: { operationId: 'readMail', security: [{ login: [] }] } } },
  ...('swagger' in version
    ? { securityDefinitions: { login: scheme }, host: new URL(idp.origin).host, schemes: ['http'] }
    : { components: { securitySchemes: { login: scheme } } }),
});
const flow = () => ({
  authorizationUrl: `${idp.origin}/authorize`,
  tokenUrl: `${idp.origin}/token`,
  scopes: { mail: '' },
});

const enter = async (more: Partial<ForgeLogin> = {}) => {
  const source = await lab.forge.sources.get('mail');
  const { document, resolver } = await lab.forge.sources.api(source);
  const [scheme] = listSchemes(document, resolver);
  await logIn(lab.forge, {
    source,
    scheme: scheme as ForgeLogin['scheme'],
    client: { id: 'app' },
    isDevice: false,
    showAddress: (address) => void idp.browse(address),
    showCode: () => {},
    ...more,
  });
};
/** Changes the stored login. */
const change = async (more: Partial<OAuthGrant>) => {
  await lab.forge.credentials.update('mail', 'login', async (one) => ({
    ...one,
    grant: { ...(one.grant as OAuthGrant), ...more },
  }));
};

describe('a login', () => {
  it.each<[string, () => Json, Partial<ForgeLogin>]>([
    ['a code of 3.x', () => api({ type: 'oauth2', flows: { authorizationCode: flow() } }), {}],
    ['a code of 2.0', () => api({ type: 'oauth2', flow: 'accessCode', ...flow() }, { swagger: '2.0' }), {}],
    [
      'a registered client, by the metadata of 3.2',
      () => {
        const oauth2MetadataUrl = `${idp.origin}/.well-known/oauth-authorization-server`;
        return api({ type: 'oauth2', flows: {}, oauth2MetadataUrl }, { openapi: '3.2.0' });
      },
      { client: undefined },
    ],
    [
      'a device code',
      () => {
        const device = { deviceAuthorizationUrl: `${idp.origin}/device`, tokenUrl: `${idp.origin}/token`, scopes: {} };
        return api({ type: 'oauth2', flows: { deviceAuthorization: device } });
      },
      {},
    ],
  ])('works with %s', async (_, document, more) => {
    idp.pending = [];
    await lab.add(document(), 'mail');
    await enter(more);
    expect(await lab.read('mail_read_mail')).toMatchObject({ status: 200, data: { ok: true } });
  });

  it('is stored encrypted, renewed when it expires or is revoked, and asked for when it ends', async () => {
    await lab.add(api({ type: 'oauth2', flows: { authorizationCode: flow() } }), 'mail');
    await enter();
    const [first] = idp.access;
    const own = join(lab.folder, 'forge');
    for (const file of readdirSync(own, { withFileTypes: true }).filter((one) => one.isFile()))
      expect(readFileSync(join(own, file.name), 'latin1')).not.toContain(first);
    idp.access.clear();
    expect(await lab.read('mail_read_mail')).toMatchObject({ data: { ok: true } });
    await change({ expiresAt: 0 });
    expect(await lab.read('mail_read_mail')).toMatchObject({ data: { ok: true } });
    expect(idp.refreshed).toBe(2);
    await change({ expiresAt: 0, refreshToken: 'revoked' });
    await expect(lab.read('mail_read_mail')).rejects.toMatchObject({
      word: 'forbidden',
      message: expect.stringContaining('invalid_grant'),
      hint: 'Log in again: lore forge login mail login',
    });
  });

  it('is renewed once by many processes and calls', async () => {
    await lab.add(api({ type: 'oauth2', flows: { authorizationCode: flow() } }), 'mail');
    await enter();
    await change({ expiresAt: 0 });
    const script = await bundle('test/support/use-login.ts', { format: 'esm' });
    const run = () => promisify(execFile)(process.execPath, [script, lab.folder, 'mail_read_mail']);
    const others = await Promise.all([run(), run(), run(), lab.read('mail_read_mail'), lab.read('mail_read_mail')]);
    expect(others).toMatchObject([
      ...Array(3).fill({ stdout: '{"ok":true}' }),
      { data: { ok: true } },
      { status: 200 },
    ]);
    expect([idp.refreshed, idp.reused]).toEqual([1, 0]);
  });
});
