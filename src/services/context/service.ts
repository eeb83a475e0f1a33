// The context service: searches nodes of every kind, whichever service stored them.
import type { Service } from '../../core/service.ts';
import type { Folders } from '../../graph/project/grant.ts';
import { head } from './head.ts';
import { createLinkTool } from './link.ts';
import { createQueryTool } from './query.ts';

export function createContextService(folders: Folders): Service {
  const tools = [createQueryTool(folders), createLinkTool(folders)];
  return {
    ...head,
    tools: () => tools,
  };
}
