// Test files share their workers, since importing the code again takes longer than most files do. Those that measure or load a
// whole process have a worker for each file. The limits only end what hangs: on a busy machine every test takes many
// times as long.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const common = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 150_000 } },
  setupFiles: ['test/support/each-file.ts'],
};
const apart = ['fuzz/**/*', 'survive/**/*', 'e2e/repo-escape'].map((name) => `test/${name}.test.ts`);

/** Without results of an earlier run, large files are first; these are small but take long. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => /test\/(?:conformance\/http|crash|survive)/.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    // One more than there are cores, since many tests wait for other processes and the disk.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFirst },
    globalSetup: ['test/support/run.ts'],
    projects: [
      { test: { ...common, name: 'apart', include: apart } },
      { test: { ...common, name: 'shared', include: ['{src,test}/**/*.test.ts'], exclude: apart, isolate: false } },
    ],
  },
});
