// Files of the project as resources; their paths are completed folder by folder.
import type { Call } from '../../../core/call.ts';
import { nameInside } from '../../../core/path.ts';
import type { ResourceTemplate } from '../../../core/service.ts';
import type { RepoContext, RepositoryTree } from '../context.ts';
import { nameFile } from './file-shape.ts';

/** Lines in the link to the rest of a file. */
const nextLines = 1_999;
/** Most completions that a client receives. */
const mostCompletions = 100;
/** Most entries of a folder that are considered. */
const mostEntries = 20_000;

/** In a URI, the # of a file's own name is encoded. */
const lineFragment = /#L([1-9]\d{0,8})(?:-L?(\d{1,9}))?$/;

export function createFileTemplates(context: RepoContext): ResourceTemplate[] {
  return [
    {
      uriTemplate: 'lore://file/{+path}',
      name: 'file',
      title: 'A file of this project',
      description: 'By its path from the root; #L10-L20 selects lines.',
      permission: 'read_file',
      async read({ path = '' }, uri, call) {
        const { readMedia, viewFile } = await import('./file-view.ts');
        const place = await context.locate(call);
        const { name, start, end = start } = readLink(path, uri);
        const media = await readMedia(place, name);
        if (media) return [{ ...media, uri }];
        const lines = start === undefined ? {} : { start: Number(start), end: Number(end) };
        const view = await viewFile(place, name, lines, call.signal);
        const text = view.text ?? `${view.type}, ${view.size} bytes, beginning with ${view.first_bytes}`;
        const next = view.next_start;
        const more =
          next === undefined ? '' : `\n[… ${nameFile(name)}#L${next}-L${next + nextLines} has the next lines]`;
        return [{ uri, mimeType: 'text/plain', text: text + more }];
      },
      async watch({ path = '' }, uri, call) {
        const { watchFile } = await import('./watch-file.ts');
        return watchFile((await context.locate(call)).root, readLink(path, uri).name, () => context.updated(uri));
      },
      complete: { path: (typed, _context, call) => completePath(context, typed, call) },
    },
  ];
}

/** The path of the file, and its lines if the link names some. */
function readLink(path: string, uri: string): { name: string; start?: string; end?: string } {
  const [, start, end] = lineFragment.exec(uri) ?? [];
  if (start === undefined) return { name: path };
  return { name: path.replace(lineFragment, ''), start, ...(end !== undefined && { end }) };
}

async function completePath(context: RepoContext, typed: string, call: Pick<Call, 'caller'>): Promise<string[]> {
  const place = await context.locate(call);
  const at = typed.lastIndexOf('/');
  const begun = typed.slice(at + 1).toLowerCase();
  const found: string[] = [];
  try {
    for await (const path of listFolderOf(place, typed.slice(0, Math.max(0, at)))) {
      if (
        path
          .slice(path.lastIndexOf('/', path.length - 2) + 1)
          .toLowerCase()
          .startsWith(begun)
      )
        found.push(path);
      if (found.length > mostCompletions) break;
    }
  } catch {
    // The path does not exist or leaves the repository: no completions.
    return [];
  }
  return found;
}

async function* listFolderOf({ root }: RepositoryTree, folder: string): AsyncGenerator<string> {
  const [{ resolveInside }, { walkTree }] = await Promise.all([
    import('../../../files/inside.ts'),
    import('../../../files/tree.ts'),
  ]);
  const { real } = await resolveInside(root, folder);
  const options = { from: nameInside(real, root), depth: 1, measure: false, most: mostEntries };
  for await (const { path, isFolder } of walkTree(root, options)) yield isFolder ? `${path}/` : path;
}
