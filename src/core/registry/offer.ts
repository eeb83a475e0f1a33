// Everything that services offer besides tools, by kind. Each offer belongs to a tool, whose permission covers it.

import type { Route } from '../route.ts';
import type { Prompt, Resource, ResourceTemplate, Service } from '../service.ts';
import type { SkillSource } from '../skill.ts';
import type { Owner } from './door.ts';

export interface Offers {
  resources: Resource;
  templates: ResourceTemplate;
  prompts: Prompt;
  skills: SkillSource;
  routes: Route;
}

export type OfferKind = keyof Offers;

export interface Offered<K extends OfferKind> {
  entry: Offers[K];
  owner: Owner;
}

export type ListedKind = Exclude<OfferKind, 'skills' | 'routes'>;

/** An offer without its code. */
export type Listed<K extends ListedKind> = Omit<Offers[K], 'read' | 'get' | 'complete'>;

const lists: { readonly [K in OfferKind]: (service: Service) => readonly Offers[K][] } = {
  resources: (service) => service.resources?.() ?? [],
  templates: (service) => service.templates?.() ?? [],
  prompts: (service) => service.prompts?.() ?? [],
  skills: ({ skills }) => (skills ? [skills] : []),
  routes: (service) => service.routes?.() ?? [],
};

export function listOffers<K extends OfferKind>(service: Service, kind: K): readonly Offers[K][] {
  return lists[kind](service);
}
