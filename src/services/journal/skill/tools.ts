// The tools for skills.
import type { Tool } from '../../../core/tool.ts';
import type { Desk } from '../desk.ts';
import { createSkillSaveTool } from './save.ts';
import { createSkillSearchTool } from './search.ts';

export function createSkillTools(desk: Desk): Tool[] {
  return [createSkillSaveTool(desk), createSkillSearchTool(desk)];
}
