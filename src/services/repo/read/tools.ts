// The reading tools.
import type { Tool } from '../../../core/tool.ts';
import type { RepoContext } from '../context.ts';
import { createListFilesTool } from './list-files.ts';
import { createReadFileTool } from './read-file.ts';
import { createReadmeTool } from './readme.ts';
import type { FindSymbol } from './symbol.ts';

export function createReadTools(context: RepoContext, findSymbol?: FindSymbol): Tool[] {
  return [createReadFileTool(context, findSymbol), createListFilesTool(context), createReadmeTool(context)];
}
