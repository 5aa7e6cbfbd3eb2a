import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/temporary.global.ts'],
    setupFiles: ['test/environment.setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Most tests wait for the processes they start; one worker less than there are processors leaves one idle.
    maxWorkers: '100%',
    // Real terminals, processes and clocks on a loaded machine: what fails there twice more has failed.
    retry: process.env.CI === undefined ? 0 : 2,
  },
});
