// What is packed for others: types that are made without an error, of the product alone.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/bundle.ts';
import { createFolder } from '../support/folder.ts';

describe('the package', () => {
  it('has types of what it exports, and of no test', () => {
    const folder = createFolder('types');
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, '-p', 'tsconfig.types.json', '--outDir', folder], { cwd: root });
    expect(existsSync(join(folder, 'index.d.ts'))).toBe(true);
    const made = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(made.filter((file) => !file.endsWith('.d.ts') && file.includes('.'))).toEqual([]);
    expect(made.filter((file) => file.includes('.test.'))).toEqual([]);
  });
});
