// Units and contracts share their workers, since importing the code again for each file takes longer than most of them; whatever
// starts processes of its own has a worker for each file. The limits only end what hangs: on a busy machine every test
// takes many times as long.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const common = { testTimeout: 180_000, hookTimeout: 180_000, setupFiles: ['test/support/remove-folders.ts'] };
const shared = ['src', 'test/contract', 'test/house'].map((folder) => `${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    // One more than there are cores, since many tests wait for other processes and the disk.
    maxWorkers: availableParallelism() + 1,
    globalSetup: ['test/support/run.ts'],
    projects: [
      { test: { ...common, name: 'whole', include: ['test/**/*.test.ts'], exclude: shared } },
      { test: { ...common, name: 'shared', include: shared, isolate: false } },
    ],
  },
});
