// Temporary folders that go when the test file that asked for them is done.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

export function createFolder(purpose: string): string {
  const folder = mkdtempSync(join(tmpdir(), `lore-test-${purpose}-`));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  // A process that the test ended may still be writing.
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
