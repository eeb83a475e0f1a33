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
  {
    id: 'timeline',
    title: 'Timeline',
    group: 'Knowledge',
    key: 't',
    load: async () => (await import('./timeline.tsx')).Timeline,
  },
  {
    id: 'checkpoints',
    title: 'Checkpoints',
    group: 'Knowledge',
    key: 'c',
    load: async () => (await import('./checkpoints.tsx')).Checkpoints,
  },
  { id: 'fixes', title: 'Fixes', group: 'Knowledge', key: 'f', load: async () => (await import('./fixes.tsx')).Fixes },
  {
    id: 'skills',
    title: 'Skills',
    group: 'Knowledge',
    key: 's',
    load: async () => (await import('./skills.tsx')).Skills,
  },
  {
    id: 'collections',
    title: 'Collections',
    group: 'Knowledge',
    key: 'l',
    load: async () => (await import('./collections.tsx')).Collections,
  },
  { id: 'graph', title: 'Graph', group: 'Knowledge', key: 'r', load: async () => (await import('./graph.tsx')).Graph },
  { id: 'code', title: 'Code', group: 'Knowledge', key: 'k', load: async () => (await import('./code.tsx')).Code },
  {
    id: 'projects',
    title: 'Projects',
    group: 'Server',
    key: 'p',
    load: async () => (await import('./projects.tsx')).Projects,
  },
  {
    id: 'operations',
    title: 'Operations',
    group: 'Server',
    key: 'o',
    load: async () => (await import('./operations.tsx')).Operations,
  },
  {
    id: 'sources',
    title: 'Sources',
    group: 'Server',
    key: 'u',
    load: async () => (await import('./sources.tsx')).SourcesPage,
  },
  {
    id: 'permissions',
    title: 'Permissions',
    group: 'Server',
    key: 'e',
    load: async () => (await import('./permissions.tsx')).Permissions,
  },
  { id: 'audit', title: 'Audit log', group: 'Server', key: 'a', load: async () => (await import('./audit.tsx')).Audit },
  {
    id: 'statistics',
    title: 'Statistics',
    group: 'Server',
    key: 'i',
    load: async () => (await import('./statistics.tsx')).Statistics,
  },
];

export function findView(id: string): View {
  return views.find((view) => view.id === id) ?? (views[0] as View);
}
