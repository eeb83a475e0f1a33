// Pauses of learning as changes of the settings: the command and the dashboard begin and end them.
import { type Interval, type Pauses, readIntervals, writeIntervals } from '../core/learning.ts';
import type { SettingChange } from './change-settings.ts';

/** Pauses are kept this long after their end, in ms, for transcripts that are read later. */
const keepEndedMs = 365 * 86_400_000;

export function beginPause(pauses: Pauses, key: string, now: number, until: number): SettingChange[] {
  // A second pause extends a running one, so that nothing in between is learned.
  const { ended, running } = readPauses(pauses, key, now);
  const from = Math.min(now, ...running.map((pause) => pause.from));
  return [...dropEnded(pauses, now), { path: ['paused', key], value: writeIntervals([...ended, { from, until }]) }];
}

export function endPause(pauses: Pauses, key: string, now: number): SettingChange[] {
  const { ended, running } = readPauses(pauses, key, now);
  if (running.length === 0) return [];
  const over = running.map(({ from }) => ({ from, until: now }));
  return [...dropEnded(pauses, now), { path: ['paused', key], value: writeIntervals([...ended, ...over]) }];
}

/** Ended pauses are kept for a while. */
function readPauses(pauses: Pauses, key: string, now: number): { ended: Interval[]; running: Interval[] } {
  const all = readIntervals(pauses, key);
  return {
    ended: all.filter(({ until }) => until <= now && until >= now - keepEndedMs),
    running: all.filter(({ until }) => until > now),
  };
}

function dropEnded(pauses: Pauses, now: number): SettingChange[] {
  return Object.keys(pauses)
    .filter((key) => readIntervals(pauses, key).every(({ until }) => until < now - keepEndedMs))
    .map((key) => ({ path: ['paused', key] }));
}

export function isPaused(pauses: Pauses, key: string, now: number): boolean {
  return readPauses(pauses, key, now).running.length > 0;
}
