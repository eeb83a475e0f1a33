// What is packed for others: types that are made without an error, of the product alone.
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/bundle.ts';
import { createFolder } from '../support/folder.ts';

describe('the package', () => {
  it('has types of what it exports, and of no test', () => {
    const folder = createFolder('types');
    execFileSync(process.execPath, [join(root, 'scripts/types.mjs'), folder]);
    const made = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.includes('.'));
    expect(made).toContain('index.d.ts');
    expect(made.filter((file) => !file.endsWith('.d.ts') || /\.test\.|^cli/.test(file))).toEqual([]);
    // They are complete: a program that uses them compiles.
    writeFileSync(
      join(folder, 'use.ts'),
      "import { createApp, defineTool } from './index.js';\nexport { createApp, defineTool };\n",
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const options = ['--ignoreConfig', '--strict', '--noEmit', '--module', 'nodenext', '--types', 'node'];
    const types = ['--typeRoots', join(root, 'node_modules/@types')];
    execFileSync(process.execPath, [tsc, ...options, ...types, join(folder, 'use.ts')], { stdio: 'pipe' });
  });
});
