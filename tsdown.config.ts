import { defineConfig, type UserConfig } from 'tsdown';

/**
 * Git and the agents start a hook for every commit, push and command. Each hook's bundle is one minified CommonJS file
 * with nothing in it that the hook does not run: one module to read, no ESM resolution.
 */
const hook = (name: string, entry: string): UserConfig => ({
  name: `hook/${name}`,
  entry: { [name]: entry },
  outDir: 'dist/hook',
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  minify: true,
  dts: false,
  clean: false,
  outputOptions: { codeSplitting: false },
  deps: { onlyBundle: false },
});

export default defineConfig([
  hook('commit-msg', 'src/githooks/commit-msg.entry.ts'),
  hook('push', 'src/githooks/push.entry.ts'),
  {
    name: 'cli',
    // The hooks import `validate` when a configuration has changed since it was last read.
    entry: { cli: 'src/cli/main.ts', validate: 'src/config/validate.ts' },
    outDir: 'dist/cli',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    dts: false,
    clean: false,
    deps: { onlyBundle: false },
    // jsonc-parser's `main` is a UMD file whose requires no bundler can follow.
    inputOptions: { resolve: { mainFields: ['module', 'main'] } },
  },
]);
