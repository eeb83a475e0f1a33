// A project with everything in it that could lead out of it, and a secret beside it.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSystem, type System, type SystemOptions } from './system.ts';

export const secretName = 'top-secret-name.txt';
export const secretText = 'top-secret-content';

export async function prepareBreakOut(options: SystemOptions = {}): Promise<System> {
  const opened = await openSystem(options);
  const { project, outside } = opened;
  writeFileSync(join(outside, secretName), secretText);
  mkdirSync(join(project, 'sub'));
  writeFileSync(join(project, 'sub', 'plain.txt'), 'plain');
  const links: [string, string][] = [
    ['file-out', join(outside, secretName)],
    ['folder-out', outside],
    ['relative-out', '../outside'],
    ['second', 'folder-out'],
    ['loop', 'loop'],
    ['dangling', join(outside, 'not-there')],
    ['to-root', '/'],
    ['to-process', '/proc/self/root'],
    ['to-home', '~'],
    ['sub/up', '../..'],
  ];
  for (const [name, target] of links) symlinkSync(target, join(project, name));
  // Settings and database of the installation, were they in the project.
  for (const name of [
    'config.json',
    'lore.db',
    'lore.db-wal',
    'audit.jsonl',
    'audit.head',
    'audit-000000000007.jsonl',
  ]) {
    writeFileSync(join(project, name), secretText);
  }
  return opened;
}
