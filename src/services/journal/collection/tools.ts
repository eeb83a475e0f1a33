// The tools for collections.
import type { Tool } from '../../../core/tool.ts';
import type { JournalContext } from '../context.ts';
import { createCreateTool } from './create.ts';
import { createDeleteTool } from './delete.ts';
import { createIngestTool } from './ingest.ts';
import { createListTool } from './list.ts';
import { createSearchTool } from './search.ts';

export function createCollectionTools(context: JournalContext): Tool[] {
  return [
    createCreateTool(context),
    createListTool(context),
    createDeleteTool(context),
    createIngestTool(context),
    createSearchTool(context),
  ];
}
