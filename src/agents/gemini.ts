// Gemini CLI. It does not wait for hooks at the end of a session, so it learns after each answer. Its timeouts are in ms.
import { type Agent, type AgentLocation, joinPath } from './agent.ts';

const server = { kind: 'server', path: ['mcpServers'] } as const;

export const gemini: Agent = {
  id: 'gemini',
  title: 'Gemini CLI',
  traces: (place) => [folder(place)],
  scopes: {
    user: (place) => [
      { ...server, file: joinPath(place, folder(place), 'settings.json') },
      {
        kind: 'hooks',
        file: joinPath(place, folder(place), 'settings.json'),
        form: 'grouped',
        events: ['SessionStart', 'BeforeAgent', 'AfterAgent'],
        extra: { name: 'lorekeeper', type: 'command', timeout: 10_000 },
      },
    ],
    project: (place) => [{ ...server, file: joinPath(place, place.project, '.gemini', 'settings.json'), shared: true }],
  },
  note: 'Takes effect in the next session; /mcp and /hooks show it.',
};

function folder(place: AgentLocation): string {
  return joinPath(place, place.env.GEMINI_CLI_HOME || place.home, '.gemini');
}
