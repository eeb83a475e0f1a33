// Claude Code. Servers are in .claude.json, which the program often rewrites, and hooks in its settings. VS Code and Cursor
// can run these hooks too.
import { type Agent, type AgentLocation, joinPath } from './agent.ts';

const hooks = {
  kind: 'hooks',
  form: 'grouped',
  events: ['SessionStart', 'UserPromptSubmit', 'PreCompact', 'SessionEnd'],
  extra: { type: 'command', timeout: 10 },
} as const;

const server = {
  kind: 'server',
  path: ['mcpServers'],
  extra: { type: 'stdio' },
  preload: { alwaysLoad: true },
} as const;

export const claudeCode: Agent = {
  id: 'claude-code',
  title: 'Claude Code',
  traces: (place) => [stateFile(place), settingsFolder(place)],
  scopes: {
    user: (place) => [
      { ...server, file: stateFile(place) },
      { ...hooks, file: joinPath(place, settingsFolder(place), 'settings.json') },
    ],
    project: (place) => [{ ...server, file: joinPath(place, place.project, '.mcp.json'), shared: true }],
    local: (place) => [
      { ...server, file: stateFile(place), path: ['projects', place.project.replaceAll('\\', '/'), 'mcpServers'] },
      { ...hooks, file: joinPath(place, place.project, '.claude', 'settings.local.json') },
    ],
  },
  note: 'Takes effect in the next session; /mcp and /hooks show it.',
};

function stateFile(place: AgentLocation): string {
  return joinPath(place, place.env.CLAUDE_CONFIG_DIR || place.home, '.claude.json');
}

function settingsFolder(place: AgentLocation): string {
  return place.env.CLAUDE_CONFIG_DIR || joinPath(place, place.home, '.claude');
}
