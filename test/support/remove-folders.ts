// Setup of every test file: what it created with `createFolder` goes when it is done, also where files share their modules.
import { afterAll } from 'vitest';
import { removeFolders } from './folder.ts';

afterAll(removeFolders);
