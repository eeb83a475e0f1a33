// Zed: the server is a context server in the general settings; there are no hooks. Older versions require `source`.
import { type Agent, type AgentLocation, applicationFolder, joinPath } from './agent.ts';

const server = { kind: 'server', path: ['context_servers'], extra: { source: 'custom' } } as const;

export const zed: Agent = {
  id: 'zed',
  title: 'Zed',
  traces: (place) => [folder(place)],
  scopes: {
    user: (place) => [{ ...server, file: joinPath(place, folder(place), 'settings.json') }],
    project: (place) => [{ ...server, file: joinPath(place, place.project, '.zed', 'settings.json'), shared: true }],
  },
  note: 'Takes effect at once; the Agent Panel lists the server.',
};

/** On macOS it differs from other programs. */
function folder(place: AgentLocation): string {
  if (place.platform === 'darwin') return joinPath(place, place.home, '.config', 'zed');
  return joinPath(place, applicationFolder(place), place.platform === 'win32' ? 'Zed' : 'zed');
}
