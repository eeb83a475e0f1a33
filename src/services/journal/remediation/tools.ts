// The remediation tools: errors and their fixes.
import type { Tool } from '../../../core/tool.ts';
import type { JournalContext } from '../context.ts';
import { createFeedbackTool } from './feedback.ts';
import { createListTool } from './list.ts';
import { createSaveTool } from './save.ts';
import { createSearchTool } from './search.ts';

export function createRemediationTools(context: JournalContext): Tool[] {
  return [createSaveTool(context), createSearchTool(context), createListTool(context), createFeedbackTool(context)];
}
