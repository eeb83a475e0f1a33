// One test runner for units beside the code and for everything in test/. The limits end what hangs: on a busy machine, a
// test that only starts a few processes takes many times as long as on a quiet one.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
