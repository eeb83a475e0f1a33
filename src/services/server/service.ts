// The server's own service: reports what is running.
import type { LearningRules } from '../../core/learning.ts';
import type { ServiceStatus } from '../../core/registry/registry.ts';
import type { Service } from '../../core/service.ts';
import type { GraphAccess } from '../../graph/access.ts';
import type { Folders } from '../../graph/project/grant.ts';
import { type Administration, createAdministrationTools } from './admin.ts';
import { createCancelTool } from './cancel.ts';
import { head } from './head.ts';
import { createStatusTool } from './status.ts';

export function createServerService(
  services: () => ServiceStatus[],
  graph: GraphAccess,
  folders: Folders,
  learning?: LearningRules,
  administration?: Administration,
): Service {
  const tools = [
    createStatusTool(services, graph, folders, learning),
    createCancelTool(folders),
    ...(administration ? createAdministrationTools(administration, folders) : []),
  ];
  return {
    ...head,
    tools: () => tools,
  };
}
