// Without free file descriptors, failures are reported as such.
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bundle } from '../support/bundle.ts';
import { createFolder } from '../support/folder.ts';

it.skipIf(process.platform === 'win32')(
  'programs, files and folders are unavailable, not internal errors',
  async () => {
    const script = await bundle('test/e2e/fixture/exhausted.ts', { format: 'esm', packages: 'external' });
    const folder = realpathSync(createFolder('exhausted'));
    const said = execFileSync('sh', ['-c', 'ulimit -n 64; exec "$0" "$@"', process.execPath, script, folder]);
    expect(JSON.parse(said.toString())).toEqual([
      'unavailable: Cannot run "true": too many files are open',
      'unavailable: Cannot read "a.txt": too many files are open',
      'exhausted',
    ]);
  },
);
