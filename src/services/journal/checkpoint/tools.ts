// The tools for checkpoints.
import type { Tool } from '../../../core/tool.ts';
import type { JournalContext } from '../context.ts';
import { createListTool } from './list.ts';
import { createResumeTool } from './resume.ts';
import { createSaveTool } from './save.ts';
import { createSearchTool } from './search.ts';

export function createCheckpointTools(context: JournalContext): Tool[] {
  return [createSaveTool(context), createSearchTool(context), createListTool(context), createResumeTool(context)];
}
