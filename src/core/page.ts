// The pages that the build puts into dist/web: the files of the dashboard, and the one page that MCP hosts show inside a chat.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LoreError } from './error.ts';

/** The resource of the page inside a chat. */
export const pageUri = 'ui://lore/page';

/** The type that MCP Apps give to it. */
export const pageType = 'text/html;profile=mcp-app';

export function readPage(): string {
  return readFileSync(join(findPages(), 'page.html'), 'utf8');
}

/** The folder of the files. This code runs from `src/core` or from a bundle in `dist`. */
export function findPages(): string {
  const folders = ['./web/', '../../dist/web/'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const folder = folders.find((one) => existsSync(join(one, 'index.html')));
  if (folder !== undefined) return folder;
  throw new LoreError('unavailable', 'Cannot show the dashboard: it is not built');
}
