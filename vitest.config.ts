import { defineConfig } from 'vitest/config';
import { COMPILE_CACHE } from './server/test/harness/compile-cache.ts';
import { LongestFirst } from './tools/test/longest-first.ts';

export default defineConfig({
  test: {
    include: ['server/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts', 'packages/**/*.test.ts'],
    globalSetup: ['server/test/harness/database/global-setup.ts'],
    env: COMPILE_CACHE,
    pool: 'forks',
    // Tests make much that is gone at once; with room for it, it is gone before it is ever copied.
    execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=32'],
    // More than the cores that it needs: much of a test is waiting.
    maxWorkers: 8,
    // Files share a process, and with it what they import, which takes longer than most of them. Each makes what it needs for itself.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Node imports the TypeScript itself, as the service does: its compile cache works, and no import is a lookup at each use.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    retry: 0,
    // Past what a machine takes that is busy with other things: nothing is to fail because it is slow.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
