// Changes that a person makes from the dashboard, in the settings file.
import { everyProject, pausedUntil } from '../core/learning.ts';
import type { PermissionLevel } from '../core/registry/permission.ts';
import { changeSettings } from './change-settings.ts';
import { loadConfig } from './load.ts';
import { beginPause, endPause } from './pause.ts';

export function setPermission(name: string, level: PermissionLevel): void {
  changeSettings([{ path: ['permissions', name], value: level }]);
}

/** Without an end, the pauses of these projects end now. */
export function setPause(projects: readonly string[] | 'all', until: number | undefined): void {
  const { paused } = loadConfig().values;
  const keys = projects === 'all' ? [everyProject] : projects;
  const [first = everyProject] = keys;
  const now = Date.now();
  changeSettings(
    until === undefined ? keys.flatMap((key) => endPause(paused, key, now)) : beginPause(paused, first, now, until),
  );
}

export function readPause(projects: readonly string[]): number | undefined {
  return pausedUntil(loadConfig().values.paused, projects, Date.now());
}
