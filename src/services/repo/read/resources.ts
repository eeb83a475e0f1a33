// Files of the project as resources; their paths are completed folder by folder.
import type { Call } from '../../../core/call.ts';
import { nameInside } from '../../../core/path.ts';
import type { ResourceTemplate } from '../../../core/service.ts';
import type { RepoContext, RepositoryTree } from '../context.ts';
import { imageOf } from './file-shape.ts';

/** Most completions that a client receives. */
const mostCompletions = 100;
/** Most entries of a folder that are considered. */
const mostEntries = 20_000;

export function createFileTemplates(context: RepoContext): ResourceTemplate[] {
  return [
    {
      uriTemplate: 'lore://file/{+path}',
      name: 'file',
      title: 'A file of this project',
      description: 'By its path from the root.',
      permission: 'read_file',
      async read({ path = '' }, uri, call) {
        const { viewFile } = await import('./file-view.ts');
        const view = await viewFile(await context.locate(call), path, {}, call.signal);
        const image = imageOf(view);
        if (image) return [{ uri, mimeType: image.mimeType, blob: image.data }];
        const text = view.text ?? `${view.type}, ${view.size} bytes, beginning with ${view.first_bytes}`;
        const more = view.next_start === undefined ? '' : `\n[… read_file with start ${view.next_start} has the rest]`;
        return [{ uri, mimeType: 'text/plain', text: text + more }];
      },
      complete: { path: (typed, _context, call) => completePath(context, typed, call) },
    },
  ];
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
