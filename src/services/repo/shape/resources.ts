// Definitions of the project as resources, with their names completed from the index.
import { LoreError } from '../../../core/error.ts';
import type { ResourceTemplate } from '../../../core/service.ts';
import type { RepoContext } from '../context.ts';
import { renderSymbol, requireSymbol } from './symbol-tool.ts';

const mostCompletions = 100;

export function createSymbolTemplates(context: RepoContext): ResourceTemplate[] {
  return [
    {
      uriTemplate: 'lore://symbol/{+name}',
      name: 'symbol',
      title: 'A definition of this project',
      description: 'By its name, like put, Graph.put or path#name.',
      permission: 'repo_symbol',
      mimeType: 'text/plain',
      async read({ name = '' }, uri, call) {
        const found = await requireSymbol(await context.open(call), name);
        return [{ uri, mimeType: 'text/plain', text: renderSymbol(found) }];
      },
      async watch(_, uri) {
        throw new LoreError('invalid_input', `Cannot subscribe to "${uri}": changes of definitions are not reported`, {
          hint: 'Subscribe to lore://file/… of its file.',
        });
      },
      complete: {
        async name(typed, _context, call) {
          const { scope } = await context.open(call);
          const { completeNames } = await import('../../../graph/derived/read.ts');
          return completeNames(scope.opened, scope.project.tree, typed, mostCompletions);
        },
      },
    },
  ];
}
