// get_readme: returns the README of a repository, found where forges look for it.
import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import { defineTool } from '../../../core/tool.ts';
import type { RepoContext, RepositoryTree } from '../context.ts';
import { fileShape } from './file-shape.ts';
import { renderFile, showFile } from './file-show.ts';
import { repoArgument } from './read-file.ts';

const folders = ['', 'docs', '.github'];
/** Preferred formats first. */
const endings = ['.md', '.markdown', '.mdown', '.mkd', '.rst', '.adoc', '.asciidoc', '.org', '.textile', '.txt', ''];

export function createReadmeTool(context: RepoContext) {
  return defineTool({
    name: 'get_readme',
    title: 'Read the README',
    description: 'Read the README of the repository.',
    effect: 'read',
    main: 'repo',
    examples: [
      ['lore get readme', 'of this project'],
      ['lore get readme https://github.com/expressjs/express', 'of another repository'],
    ],
    openWorld: true,
    input: s.object({ repo: repoArgument }),
    output: s.object(fileShape),
    async run({ repo }, call) {
      const place = await context.locate(call, repo);
      const { pageBytes: maxBytes, viewFile } = await import('./file-view.ts');
      return viewFile(place, await findReadme(place), { maxBytes }, call.signal);
    },
    render: (view) => renderFile(view),
    show: (view, style) => showFile(view, style),
  });
}

async function findReadme({ root, name }: RepositoryTree): Promise<string> {
  for (const folder of await findFolders(root)) {
    const found = (await listNames(root, folder)).filter((entry) => /^readme(?:\.[^/]*)?$/i.test(entry));
    const best = found.sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))[0];
    if (best !== undefined) return folder === '' ? best : `${folder}/${best}`;
  }
  throw new LoreError('not_found', `Cannot find a README: there is none in "${name}"`, {
    hint: 'list_files lists the files.',
  });
}

/** In any spelling. */
async function findFolders(root: string): Promise<string[]> {
  const names = await listNames(root, '');
  return folders.flatMap((folder) => (folder === '' ? [''] : names.filter((name) => name.toLowerCase() === folder)));
}

/** Includes links: a README often links to another file of the repository. */
async function listNames(root: string, folder: string): Promise<string[]> {
  const [{ kindOf, listFolder, nameOf }, { join }] = await Promise.all([
    import('../../../files/folder.ts'),
    import('node:path'),
  ]);
  const listed = await listFolder(join(root, folder), 100_000);
  if (typeof listed === 'string') return [];
  return listed.entries.filter((entry) => kindOf(entry) !== 'other').map(nameOf);
}

/** `README.de.md` comes after `README.md`. */
function rankOf(name: string): number {
  const ending = name.toLowerCase().slice('readme'.length);
  const rank = endings.indexOf(ending);
  return rank >= 0 ? rank : endings.length;
}
