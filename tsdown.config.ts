import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineConfig, type UserConfig } from 'tsdown';
import { agentParts } from './tsdown.agent-parts.ts';
import { agentJudge, lazyModules } from './tsdown.lazy-modules.ts';

/**
 * The agents' bundle is read as Latin-1, and V8 keeps text without other characters in half the space. Outside of
 * strings, templates and regular expressions, where an escape means the same, a minified bundle has no such character.
 */
const asciiOnly = {
  name: 'ascii-only',
  generateBundle(_: unknown, bundle: Record<string, { type: string; code?: string }>): void {
    for (const chunk of Object.values(bundle)) {
      chunk.code &&= chunk.code.replace(
        /[^\x00-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

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
  plugins: [asciiOnly],
});

/**
 * Puts around a bundle what node puts around a CommonJS module: such a file is a function, which `runCached`
 * (src/code-cache.ts) runs without making a copy of its text.
 */
const wrapped = {
  name: 'wrapped',
  generateBundle(_: unknown, bundle: Record<string, { type: string; code?: string }>): void {
    for (const chunk of Object.values(bundle)) {
      chunk.code &&= `(function (exports, require, module, __filename, __dirname) {${chunk.code}\n})`;
    }
  },
};

/**
 * Asks node once for what nearly every module uses: each of a bundle's modules keeps its own `require`, and a call of
 * it costs 25,000 instructions.
 */
const requiredOnce = {
  name: 'required-once',
  generateBundle(_: unknown, bundle: Record<string, { type: string; code?: string }>): void {
    for (const chunk of Object.values(bundle)) {
      for (const name of ['fs', 'path']) {
        const rest = chunk.code?.replace(
          new RegExp(`\\brequire\\([\`"']node:${name}[\`"']\\)`, 'g'),
          `required_${name}`,
        );
        chunk.code &&= `const required_${name}=require("node:${name}");${rest}`;
      }
    }
  },
};

/** What a hook's bundle starts: the program itself, which `runCached` keeps compiled. */
const judge = (name: string, entry: string, plugins: readonly UserConfig['plugins'][] = []): UserConfig => ({
  ...hook(name, entry),
  plugins: [...plugins, asciiOnly, requiredOnce, wrapped],
});

/**
 * Two dependencies read a file of theirs with a `require` made by createRequire, which no bundler follows: commitlint its
 * schema, which is put in its place, and jiti the compiler, which is copied beside the bundle and loaded when needed.
 */
const requiredFiles = {
  name: 'required-files',
  transform(code: string, id: string): string | null {
    if (id.includes('@commitlint/config-validator')) {
      return code.replace(/require\("(\.\/commitlint\.schema\.json)"\)/, (_, file: string) =>
        readFileSync(join(dirname(id), file), 'utf8'),
      );
    }
    return id.endsWith('jiti/lib/jiti.mjs') ? code.replace('"../dist/babel.cjs"', '"./babel.cjs"') : null;
  },
};

/** Where DEV=true, ink reads its package.json and connects to React's developer tools: neither is in a bundle. */
const withoutDevtools = {
  name: 'without-devtools',
  transform(code: string, id: string): string | null {
    if (id.endsWith('ink/build/utils.js')) {
      return code.replace("process.env['DEV'] === 'true'", 'false');
    }
    return id.endsWith('ink/build/devtools.js') ? 'export {};' : null;
  },
};

export default defineConfig([
  hook('commit-msg', 'src/githooks/commit-msg.entry.ts'),
  judge('commit-msg-judge', 'src/githooks/commit-msg-judge.entry.ts'),
  hook('push', 'src/githooks/push.entry.ts'),
  judge('push-judge', 'src/githooks/push-judge.entry.ts'),
  hook('corrections', 'src/githooks/corrections.entry.ts'),
  hook('module-import', 'src/githooks/module-import.entry.ts'),
  hook('agent', 'src/dialects/agent-hook.entry.ts'),
  ...agentParts.map((part) => judge(`agent-${part}`, agentJudge, [lazyModules(part)])),
  {
    name: 'cli',
    // The hooks import `validate` when a configuration has changed since it was last read, and `commitlint` where a
    // repository has a commitlint configuration.
    entry: {
      cli: 'src/cli/main.ts',
      validate: 'src/config/validate.ts',
      commitlint: 'src/commit/commitlint.ts',
      jiti: 'src/config/jiti.entry.ts',
      'config-conventional': 'src/commit/config-conventional.entry.ts',
    },
    outDir: 'dist/cli',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    dts: false,
    clean: false,
    // It has a compiled part beside it, and only old runtimes need it.
    deps: { onlyBundle: false, neverBundle: ['@photostructure/sqlite'] },
    plugins: [requiredFiles, withoutDevtools],
    // A dependency of commitlint’s loader asks for `__filename` where a configuration throws.
    shims: true,
    // React carries its development build beside the other.
    define: { 'process.env.NODE_ENV': '"production"' },
    copy: { from: 'node_modules/jiti/dist/babel.cjs', to: 'dist/cli' },
    // jsonc-parser's `main` is a UMD file whose requires no bundler can follow.
    inputOptions: { resolve: { mainFields: ['module', 'main'] } },
  },
]);
