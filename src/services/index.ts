// The one list of services.

import type { Caller } from '../core/call.ts';
import type { LearningRules } from '../core/learning.ts';
import type { Registry } from '../core/registry/registry.ts';
import { listTakenNames, type Service } from '../core/service.ts';
import type { GraphAccess } from '../graph/access.ts';
import type { Folders } from '../graph/project/grant.ts';
import { createContextService } from './context/service.ts';
import { createForgeService, type ForgeServiceOptions } from './forge/service.ts';
import type { GatewayOptions } from './gateway/gateway.ts';
import { createGatewayService } from './gateway/service.ts';
import { createJournalService } from './journal/service.ts';
import { createMemoryService } from './memory/service.ts';
import type { SyncSettings } from './memory/sync.ts';
import type { RepoSettings } from './repo/context.ts';
import { createRepoService } from './repo/service.ts';
import type { Administration } from './server/admin.ts';
import { createServerService } from './server/service.ts';
import { createSystemServices, type SystemOptions } from './system/service.ts';

export interface ServiceOptions {
  registry: Registry;
  graph: GraphAccess;
  folders: Folders;
  /** Where the repository tools keep clones. */
  repositories?: RepoSettings;
  /** Where sync stores the repositories that it fetches into, and how it signs; without it memories are not sent anywhere. */
  sync?: SyncSettings;
  system?: SystemOptions;
  /** The folder of the added APIs; without it there is no forge. */
  forge?: Pick<ForgeServiceOptions, 'folder' | 'pinBudget'>;
  /** The folder of the mounted servers; without it there is no gateway. */
  gateway?: Pick<GatewayOptions, 'folder'>;
  /** Where and when nothing is learned; without them, it always is. */
  learning?: LearningRules;
  /** The installation's settings and audit log, for a person. */
  administration?: Administration;
}

export function createServices({
  registry,
  graph,
  folders,
  repositories,
  sync,
  system,
  forge,
  gateway,
  learning,
  administration,
}: ServiceOptions): Service[] {
  const mayShow = (kind: string, caller: Caller) => {
    const tool = services.find(({ kinds }) => kinds?.[kind] !== undefined)?.kinds?.[kind];
    return tool === undefined || registry.mayCall(tool, caller);
  };
  const ofProject = (service: Service): Service => ({
    ...service,
    visit: (caller, project, effect) => folders.visit(caller, project, effect === 'read' ? 'read' : 'write'),
  });
  const services: Service[] = [
    ofProject(createMemoryService(graph, folders, learning, sync)),
    ofProject(createContextService(folders, mayShow)),
    ofProject(createJournalService(graph, folders)),
    ofProject(createRepoService(graph, folders, repositories)),
    ...createSystemServices(graph, folders, system),
    ...(forge
      ? [
          createForgeService(folders, {
            ...forge,
            policy: () => registry.rules,
            reserved: () => listTakenNames(services, 'forge'),
          }),
        ]
      : []),
    ...(gateway
      ? [
          createGatewayService({
            ...gateway,
            settle: (caller) => folders.settle(caller),
            policy: () => registry.rules,
            reserved: () => listTakenNames(services, 'gateway'),
          }),
        ]
      : []),
    ofProject(createServerService(() => registry.services(), graph, folders, learning, administration)),
  ];
  return services;
}
