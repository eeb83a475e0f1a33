// The list of views, in the order of the navigation. Only the first one is part of the first script.
import type { ComponentType } from 'preact';
import { Memories } from './memories.tsx';

export interface View {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  /** After g, opens it. */
  readonly key: string;
  load(): ComponentType | Promise<ComponentType>;
}

export const views: readonly View[] = [
  { id: 'memories', title: 'Memories', group: 'Knowledge', key: 'm', load: () => Memories },
];

export function findView(id: string): View {
  return views.find((view) => view.id === id) ?? (views[0] as View);
}
