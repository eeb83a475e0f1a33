// The tools for checkpoints.
import type { Tool } from '../../../core/tool.ts';
import type { Desk } from '../desk.ts';
import { createListTool } from './list.ts';
import { createResumeTool } from './resume.ts';
import { createSaveTool } from './save.ts';
import { createSearchTool } from './search.ts';

export function createCheckpointTools(desk: Desk): Tool[] {
  return [createSaveTool(desk), createSearchTool(desk), createListTool(desk), createResumeTool(desk)];
}
