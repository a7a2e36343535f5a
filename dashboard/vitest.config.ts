import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { COMPILE_CACHE } from '../server/test/harness/compile-cache.ts';

/** The tests of the dashboard. They share one browser and one service, which `global-setup.ts` starts. */
export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    alias: { '@paydesk/client': join(import.meta.dirname, '../packages/client/src/index.ts') },
  },
  test: {
    include: ['{src,test}/**/*.test.{ts,tsx}'],
    globalSetup: ['test/global-setup.ts'],
    env: COMPILE_CACHE,
    pool: 'forks',
    // A test waits for the browser and the service, which need the other processor.
    maxWorkers: 2,
    isolate: false,
    retry: 0,
    // Past what a machine takes that is busy with other things: nothing is to fail because it is slow.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
