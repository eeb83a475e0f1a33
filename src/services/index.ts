// The one list of services.
import type { Registry } from '../core/registry.ts';
import type { Service } from '../core/service.ts';
import { createServerService } from './server/service.ts';

export interface Surroundings {
  registry: Registry;
}

export function createServices({ registry }: Surroundings): Service[] {
  return [createServerService(() => registry.services())];
}
