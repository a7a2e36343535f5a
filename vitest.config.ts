import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['server/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['server/test/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Tests of whole processes meet machines that stand still for seconds. What passes at the second try only is marked in the report.
    retry: 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
