// The list of views, in the order of the navigation. Only the first one is part of the first script.
import type { ComponentType } from 'preact';
import { Memories } from './memories.tsx';

export interface View {
  readonly id: string;
  readonly title: string;
  readonly group: 'Knowledge' | 'Server';
  /** After g, opens it. */
  readonly key: string;
  /** It answers a question itself. */
  readonly isSearchable?: boolean;
  /** Not inside a chat: what it shows must not be read, or is decided, by an agent. */
  readonly isForPerson?: boolean;
  load(): ComponentType | Promise<ComponentType>;
}

const knowledge = { group: 'Knowledge', isSearchable: true } as const;
const server = { group: 'Server' } as const;

export const views: readonly View[] = [
  { ...knowledge, id: 'memories', title: 'Memories', key: 'm', load: () => Memories },
  {
    ...knowledge,
    id: 'timeline',
    title: 'Timeline',
    key: 't',
    isSearchable: false,
    load: async () => (await import('./timeline.tsx')).Timeline,
  },
  {
    ...knowledge,
    id: 'checkpoints',
    title: 'Checkpoints',
    key: 'c',
    load: async () => (await import('./checkpoints.tsx')).Checkpoints,
  },
  { ...knowledge, id: 'fixes', title: 'Fixes', key: 'f', load: async () => (await import('./fixes.tsx')).Fixes },
  { ...knowledge, id: 'skills', title: 'Skills', key: 's', load: async () => (await import('./skills.tsx')).Skills },
  {
    ...knowledge,
    id: 'collections',
    title: 'Collections',
    key: 'l',
    load: async () => (await import('./collections.tsx')).Collections,
  },
  { ...knowledge, id: 'graph', title: 'Graph', key: 'r', load: async () => (await import('./graph.tsx')).Graph },
  { ...knowledge, id: 'code', title: 'Code', key: 'k', load: async () => (await import('./code.tsx')).Code },
  {
    ...server,
    id: 'projects',
    title: 'Projects',
    key: 'p',
    load: async () => (await import('./projects.tsx')).Projects,
  },
  {
    ...server,
    id: 'operations',
    title: 'Operations',
    key: 'o',
    load: async () => (await import('./operations.tsx')).Operations,
  },
  {
    ...server,
    id: 'sources',
    title: 'Sources',
    key: 'u',
    isSearchable: true,
    load: async () => (await import('./sources.tsx')).SourcesPage,
  },
  {
    ...server,
    id: 'permissions',
    title: 'Permissions',
    key: 'e',
    isForPerson: true,
    load: async () => (await import('./permissions.tsx')).Permissions,
  },
  {
    ...server,
    id: 'audit',
    title: 'Audit log',
    key: 'a',
    isForPerson: true,
    load: async () => (await import('./audit.tsx')).Audit,
  },
  {
    ...server,
    id: 'statistics',
    title: 'Statistics',
    key: 'i',
    load: async () => (await import('./statistics.tsx')).Statistics,
  },
];

export function findView(id: string): View {
  return views.find((view) => view.id === id) ?? (views[0] as View);
}
