// The reading tools.
import type { Tool } from '../../../core/tool.ts';
import type { Places } from '../place/places.ts';
import { createListFilesTool } from './list-files.ts';
import { createReadFileTool } from './read-file.ts';
import { createReadmeTool } from './readme.ts';
import type { FindSymbol } from './symbol.ts';

export function createReadTools(places: Places, findSymbol?: FindSymbol): Tool[] {
  return [createReadFileTool(places, findSymbol), createListFilesTool(places), createReadmeTool(places)];
}
