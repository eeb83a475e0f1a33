// Codex. It learns after every turn: the event for the end of a session is newer than the others, and a version that does not
// know it would reject the whole file.
import { type Agent, type AgentLocation, joinPath } from './agent.ts';

export const codex: Agent = {
  id: 'codex',
  title: 'Codex',
  traces: (place) => [folder(place)],
  scopes: {
    user: (place) => [
      { kind: 'table', file: joinPath(place, folder(place), 'config.toml'), path: ['mcp_servers'] },
      {
        kind: 'hooks',
        file: joinPath(place, folder(place), 'hooks.json'),
        form: 'grouped',
        events: ['SessionStart', 'UserPromptSubmit', 'Stop'],
        extra: { type: 'command', timeout: 10 },
      },
    ],
    project: (place) => [
      {
        kind: 'table',
        file: joinPath(place, place.project, '.codex', 'config.toml'),
        path: ['mcp_servers'],
        shared: true,
      },
    ],
  },
  note: 'Codex runs hooks once they are trusted: enter /hooks in its next session.',
};

function folder(place: AgentLocation): string {
  return place.env.CODEX_HOME || joinPath(place, place.home, '.codex');
}
