// On a Node that is too old the binary says so in one sentence. It is run on this one, told to be another.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/bundle.ts';

it.each(['12.22.0', '18.20.4', '20.18.1'])('Node %s gets an error with the required version', (version) => {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' });`;
  const binary = JSON.stringify(join(root, 'bin/lore.cjs'));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', `${pretend} require(${binary})`], {
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: `lorekeeper needs Node.js 20.19 or newer; this is ${version}.\n`,
  });
});
