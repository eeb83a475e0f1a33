// The context service: searches nodes of every kind, whichever service stored them.
import type { Service } from '../../core/service.ts';
import type { Folders } from '../../graph/project/grant.ts';
import { head } from './head.ts';
import { createLinkTool } from './link.ts';
import { createNeighboursTool } from './neighbourhood.ts';
import { createQueryTool, type MayShow } from './query.ts';

export function createContextService(folders: Folders, mayShow: MayShow): Service {
  const tools = [createQueryTool(folders, mayShow), createNeighboursTool(folders, mayShow), createLinkTool(folders)];
  return {
    ...head,
    tools: () => tools,
  };
}
