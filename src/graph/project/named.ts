// A project that someone names: by its folder, its name or its id.
import { existsSync } from 'node:fs';
import { LoreError } from '../../core/error.ts';
import { isPath, resolveHome } from '../../core/path.ts';
import type { GraphAccess } from '../access.ts';
import { chooseProject } from './admin.ts';
import { listKnown } from './list.ts';
import { resolveFolder } from './project.ts';
import { isReserved } from './reserved-folder.ts';
import { namePlace } from './resolve.ts';
import { listPlaces } from './table.ts';

/** The folder in which a known project was last seen on this machine. */
export async function findProjectFolder(access: GraphAccess, named: string): Promise<string> {
  // A lookup must not create a database.
  const opened = access.exists() ? await access.open() : undefined;
  const [known, places] = opened ? await Promise.all([listKnown(opened), listPlaces(opened.store)]) : [[], []];
  const here = places.filter(({ place, path }) => opened && place === namePlace(opened, path));
  const { members } = chooseProject(
    known.map((one) => ({ ...one, folders: [] })),
    named,
  );
  const folders = here.filter(({ project, path }) => members.includes(project) && existsSync(path));
  const folder = folders.at(-1)?.path;
  if (folder !== undefined) return folder;
  throw new LoreError('not_found', `Cannot use project "${named}": none of its folders is on this machine`, {
    hint: 'recall and skill_search can search it, with its name as the argument "project".',
  });
}

/** The folder of the project that a person chose to work in. */
export async function chooseFolder(access: GraphAccess, named: string): Promise<string> {
  const folder = resolveFolder(isPath(named) ? resolveHome(named) : await findProjectFolder(access, named));
  if (!isReserved(folder)) return folder;
  throw new LoreError('forbidden', `Cannot use project "${named}": it is a home folder or contains one`, {
    hint: 'Name the folder of one project.',
  });
}
