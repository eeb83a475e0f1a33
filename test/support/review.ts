// Files for review in a clone: written, committed, pushed and fetched, as people and forges do.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Device, git } from './share.ts';

export const team = '.lore/team';

/** Front matter and text; a value of the front matter is YAML. */
export function write(front: Record<string, string>, text: string): string {
  const lines = Object.entries(front).map(([key, value]) => `${key}: ${value}\n`);
  return `---\n${lines.join('')}---\n\n${text}\n`;
}

/** Adds files to `.lore/team`; undefined deletes one. */
export function edit({ folder }: Pick<Device, 'folder'>, files: Record<string, string | undefined>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, team, name);
    mkdirSync(dirname(path), { recursive: true });
    if (text === undefined) git(folder, 'rm', '-q', '-f', path);
    else writeFileSync(path, text);
  }
}

/** Commits everything on a branch and pushes it. */
export function push({ folder }: Pick<Device, 'folder'>, branch = 'main'): void {
  git(folder, 'checkout', '-q', '-B', branch);
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'memories', '--allow-empty');
  git(folder, 'push', '-q', '-f', 'origin', branch);
}

export function fetch(...devices: Pick<Device, 'folder'>[]): void {
  for (const { folder } of devices) git(folder, 'fetch', '-q', 'origin');
}

/** Files as they are after a merge, which the devices have fetched. */
export function merge(author: Pick<Device, 'folder'>, files: Record<string, string | undefined>, ...others: Device[]) {
  edit(author, files);
  push(author);
  fetch(author, ...others);
}
