// The tools for collections.
import type { Tool } from '../../../core/tool.ts';
import type { Desk } from '../desk.ts';
import { createCreateTool } from './create.ts';
import { createDeleteTool } from './delete.ts';
import { createIngestTool } from './ingest.ts';
import { createListTool } from './list.ts';
import { createSearchTool } from './search.ts';

export function createCollectionTools(desk: Desk): Tool[] {
  return [
    createCreateTool(desk),
    createListTool(desk),
    createDeleteTool(desk),
    createIngestTool(desk),
    createSearchTool(desk),
  ];
}
