// Units beside the code share their workers, since they start nothing and leave nothing behind; everything in test/ has a
// worker for each file. The limits only end what hangs: on a busy machine every test takes many times as long.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const limits = { testTimeout: 180_000, hookTimeout: 180_000 };

export default defineConfig({
  test: {
    // One more than there are cores, since many tests wait for other processes and the disk.
    maxWorkers: availableParallelism() + 1,
    projects: [
      { test: { ...limits, name: 'unit', include: ['src/**/*.test.ts'], isolate: false } },
      { test: { ...limits, name: 'whole', include: ['test/**/*.test.ts'] } },
    ],
  },
});
