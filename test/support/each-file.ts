// Setup of every test file. It removes what `createFolder` created, also where files share their modules. It runs in an empty
// folder: in this repository, each new database would start git to learn which project it is in.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { removeFolders } from './folder.ts';
import { runFolder } from './run.ts';

const folder = join(runFolder(), 'cwd');
mkdirSync(folder, { recursive: true });
process.chdir(folder);

afterAll(removeFolders);
