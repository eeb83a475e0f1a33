// Test files share their workers, since importing the code again takes longer than most files do. Those that measure or load a
// whole process have a worker for each file. The limits only end what hangs: on a busy machine every test takes many
// times as long.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const common = { testTimeout: 180_000, hookTimeout: 180_000, setupFiles: ['test/support/remove-folders.ts'] };
const apart = ['crash/**/*', 'fuzz/**/*', 'survive/**/*', 'e2e/repo-escape'].map((name) => `test/${name}.test.ts`);

export default defineConfig({
  test: {
    // One more than there are cores, since many tests wait for other processes and the disk.
    maxWorkers: availableParallelism() + 1,
    globalSetup: ['test/support/run.ts'],
    projects: [
      { test: { ...common, name: 'apart', include: apart } },
      { test: { ...common, name: 'shared', include: ['{src,test}/**/*.test.ts'], exclude: apart, isolate: false } },
    ],
  },
});
