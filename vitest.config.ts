// Units beside the code share their workers, since they start nothing and leave nothing behind; everything in test/ has a
// worker for each file. The limits only end what hangs: on a busy machine every test takes many times as long.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const limits = { testTimeout: 180_000, hookTimeout: 180_000 };

export default defineConfig({
  test: {
    // By default one core is left idle, which is half of a small machine.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      { test: { ...limits, name: 'unit', include: ['src/**/*.test.ts'], isolate: false } },
      { test: { ...limits, name: 'whole', include: ['test/**/*.test.ts'] } },
    ],
  },
});
