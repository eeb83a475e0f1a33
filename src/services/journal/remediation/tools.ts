// The remediation tools: errors somebody mended, and how.
import type { Tool } from '../../../core/tool.ts';
import type { Desk } from '../desk.ts';
import { createFeedbackTool } from './feedback.ts';
import { createSaveTool } from './save.ts';
import { createSearchTool } from './search.ts';

export function createRemediationTools(desk: Desk): Tool[] {
  return [createSaveTool(desk), createSearchTool(desk), createFeedbackTool(desk)];
}
