// Secrets of APIs appear nowhere but in the request they are for: all output of all commands, every file that they leave behind,
// and the arguments of the keychain's program are searched.
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AuthorizationLab } from '../support/authorization-server.ts';
import { createFolder } from '../support/folder.ts';
import { finish, runLore, spawnLore } from '../support/lore.ts';

let idp: AuthorizationLab;
beforeEach(async () => {
  idp = await AuthorizationLab.open();
});
afterEach(() => idp.server.close());

/** The interface of `secret-tool`, with files instead of a desktop. */
const secretTool = `#!/bin/sh
dir=$(dirname "$0"); echo "$*" >> "$dir/arguments"
for account; do :; done
case $1 in
  store) cat > "$dir/secret.$account" ;;
  lookup) cat "$dir/secret.$account" ;;
  clear) rm -f "$dir/secret.$account" ;;
esac
`;

it('secrets are in no output, no file and no argument', async () => {
  const [home, keychain] = [createFolder('home'), createFolder('keychain')];
  mkdirSync(join(keychain, 'bin'));
  writeFileSync(join(keychain, 'bin/secret-tool'), secretTool);
  chmodSync(join(keychain, 'bin/secret-tool'), 0o755);
  const env = {
    HOME: home,
    PATH: `${join(keychain, 'bin')}:${process.env.PATH}`,
    LORE_DB: join(home, 'lore.db'),
    LORE_CONFIG: join(home, 'config.json'),
    LORE_LOG_LEVEL: 'debug',
    NAMED_KEY: 'sEcret-in-a-variable',
  };
  const secrets = ['sEcret-plain-1', 'sEcret-of-keychain', env.NAMED_KEY];
  const outputs: string[] = [];
  const run = async (args: string[], input = '') => {
    const { code, stdout, stderr } = await runLore(args, { env, input });
    outputs.push(stdout, stderr);
    return { code, text: stdout + stderr };
  };
  const key = (name: string) => ({ type: 'apiKey', in: 'header', name });
  const flow = { authorizationUrl: `${idp.origin}/authorize`, tokenUrl: `${idp.origin}/token`, scopes: {} };
  const schemes = {
    plain: key('X-Plain'),
    chain: key('X-Chain'),
    named: key('X-Named'),
    login: { type: 'oauth2', flows: { authorizationCode: flow } },
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Mail' },
    servers: [{ url: idp.origin }],
    paths: Object.fromEntries(
      Object.keys(schemes).map((id) => [`/api/${id}`, { get: { operationId: id, security: [{ [id]: [] }] } }]),
    ),
    components: { securitySchemes: schemes },
  };
  const file = join(createFolder('documents'), 'api.json');
  writeFileSync(file, JSON.stringify(document));
  await run(['forge', 'add', 'mail', file]);
  await run(['forge', 'login', 'mail', 'plain'], secrets[0]);
  await run(['forge', 'login', 'mail', 'chain', '--keychain'], secrets[1]);
  await run(['forge', 'login', 'mail', 'named', '--env', 'NAMED_KEY']);
  const child = spawnLore(['forge', 'login', 'mail', 'login', '--client', 'app', '--keychain'], env);
  child.stdin.end();
  child.stderr.on('data', (part: Buffer) => {
    const [address] = /http:\S+\/authorize\?\S+/.exec(String(part)) ?? [];
    if (address) void idp.browse(address);
  });
  const done = await finish(child);
  outputs.push(done.stdout, done.stderr);
  expect(done.code, done.stderr).toBe(0);
  for (const name of Object.keys(schemes)) await run(['tool', 'read', `mail_${name}`, '--json']);
  const sent = idp.server.requests.map(({ headers }) => headers);
  expect(sent.map((headers) => headers['x-plain'] ?? headers['x-chain'] ?? headers['x-named'])).toEqual(
    expect.arrayContaining(secrets),
  );
  expect(sent.some(({ authorization }) => idp.access.has(authorization?.slice(7) ?? ''))).toBe(true);
  for (const words of ['forge list --json', 'forge show mail --json', 'forge show mail plain', 'audit', 'doctor'])
    await run(words.split(' '));
  const written = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  const all = [...outputs, ...written, readFileSync(join(keychain, 'bin/arguments'), 'utf8')];
  const hidden = [...secrets, ...idp.access];
  const searched = hidden.flatMap((secret) => [secret, Buffer.from(secret).toString('base64').slice(0, -4)]);
  expect(searched.filter((secret) => all.some((text) => text.includes(secret)))).toEqual([]);
  expect(readdirSync(join(keychain, 'bin')).filter((name) => name.startsWith('secret.'))).toHaveLength(2);
  await run(['forge', 'remove', 'mail']);
  expect(readdirSync(join(keychain, 'bin')).filter((name) => name.startsWith('secret.'))).toEqual([]);
});
