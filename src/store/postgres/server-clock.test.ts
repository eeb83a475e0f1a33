// The offset to the server's clock, when the server is slow to say it.
import { expect, it, vi } from 'vitest';
import { followClock } from './server-clock.ts';

it('server clock: a slow response does not shift a clock that is right', async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  try {
    const right = await followClock(async () => {
      const read = Date.now();
      vi.setSystemTime(read + 900);
      return read;
    });
    expect(right() - Date.now()).toBe(0);
    const ahead = await followClock(async () => Date.now() + 5_000);
    expect(ahead() - Date.now()).toBe(5_000);
  } finally {
    vi.useRealTimers();
  }
});
