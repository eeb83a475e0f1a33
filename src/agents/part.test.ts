// An entry's text for one set of variables, without files.
import { describe, expect, it } from 'vitest';
import type { ServerPart } from './agent.ts';
import { claudeCode } from './claude-code.ts';
import { putPart, type Setup } from './part.ts';

const place = { platform: 'linux', home: '/home/a', env: {}, project: '/work/p' } as const;
const launch = { command: 'lore', args: [] };
const setup: Setup = { launch, portable: launch, platform: 'linux', env: {} };
const core: Setup = { ...setup, env: { LORE_PROFILE: 'core' } };

describe('a profile with few tools', () => {
  const entryFor = (scope: 'user' | 'project', how: Setup, text = '') =>
    putPart(claudeCode.scopes[scope]?.(place)[0] as ServerPart, text, how);

  it('is loaded from the start by a program that would search for tools, but not in the entry of a repository', () => {
    expect(entryFor('user', core)).toContain('"alwaysLoad": true');
    expect(entryFor('user', setup)).not.toContain('alwaysLoad');
    expect(entryFor('user', core, entryFor('user', setup))).toContain('"alwaysLoad": true');
    expect(entryFor('project', core)).not.toContain('alwaysLoad');
  });
});
