// The one list of services.
import type { Registry } from '../core/registry.ts';
import type { Service } from '../core/service.ts';
import type { GraphAccess } from '../graph/access.ts';
import { createContextService } from './context/service.ts';
import { createJournalService } from './journal/service.ts';
import { createMemoryService } from './memory/service.ts';
import { createServerService } from './server/service.ts';

export interface Surroundings {
  registry: Registry;
  graph: GraphAccess;
}

export function createServices({ registry, graph }: Surroundings): Service[] {
  return [
    createMemoryService(graph),
    createContextService(graph),
    createJournalService(graph),
    createServerService(() => registry.services(), graph),
  ];
}
