// The tools for skills.
import type { Tool } from '../../../core/tool.ts';
import type { JournalContext } from '../context.ts';
import { createSkillSaveTool } from './save.ts';
import { createSkillSearchTool } from './search.ts';

export function createSkillTools(context: JournalContext): Tool[] {
  return [createSkillSaveTool(context), createSkillSearchTool(context)];
}
