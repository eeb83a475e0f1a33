// The files for a team server: the settings they name exist, and the programs that will read them accept them.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { settingRows, settings } from '../../src/config/settings.ts';
import { meanings } from '../../src/transport/oauth/claims.ts';
import { root } from '../support/bundle.ts';
import { createFolder } from '../support/folder.ts';

const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8');

it('deploy: every setting is one that the server has', () => {
  const compose = parse(read('compose.yaml'));
  const variables = new Set(settingRows.map(([, { env }]) => env));
  const named = Object.keys(compose.services.server.environment);
  expect(named.filter((name) => !variables.has(name))).toEqual([]);
  expect(read('Dockerfile')).toContain(`${settings.peer_url.env}=`);
  expect(meanings).toEqual(expect.arrayContaining(Object.keys(JSON.parse(read('config.json')).oauth_claims)));
});

const analyze = '/usr/bin/systemd-analyze';

it.skipIf(!existsSync(analyze))('deploy: systemd accepts the unit', () => {
  const unit = join(createFolder('unit'), 'lorekeeper.service');
  // It checks that the program exists.
  writeFileSync(unit, read('lorekeeper.service').replace('/usr/local/bin/lore ', `${process.execPath} `));
  expect(execFileSync(analyze, ['verify', unit], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })).toBe('');
});
