// Where the steps leave their work for one another.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Everything in here can be made again; nothing of it is committed. */
export const cacheFolder = fileURLToPath(new URL('.cache', import.meta.url));
mkdirSync(cacheFolder, { recursive: true });
