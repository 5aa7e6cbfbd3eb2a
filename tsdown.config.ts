import { defineConfig } from 'tsdown';

/**
 * Two builds. Git and the agents start the hook bundles for every commit, push and command, so each is one CommonJS
 * file with nothing in it that its hook does not run: one module to read, no ESM resolution. Everything else is the CLI.
 */
export default defineConfig([
  {
    entry: { 'commit-msg': 'src/githooks/commit-msg.entry.ts', push: 'src/githooks/push.entry.ts' },
    outDir: 'dist/hook',
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minify: true,
    dts: false,
    clean: true,
    outputOptions: { codeSplitting: false },
  },
  {
    entry: { cli: 'src/cli/main.ts' },
    outDir: 'dist/cli',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    dts: false,
    clean: true,
  },
]);
