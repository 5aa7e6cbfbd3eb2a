import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type lintFunction from '@commitlint/lint';
import type loadFunction from '@commitlint/load';
import { messageOf } from '../error-message.ts';
import { ExitCode, OxideError } from '../errors.ts';
import { isRegularFile } from '../git/files.ts';
import { findCommitlintConfiguration } from './commitlint-configuration.ts';
import { type CommitConvention, conventional } from './convention.ts';
import { printingAside } from './foreign-output.ts';
import { isIgnored } from './ignores.ts';
import type { LintReport } from './lint.ts';
import type { Linter } from './linter.ts';
import { parseMessage } from './parse.ts';

interface Commitlint {
  readonly load: typeof loadFunction;
  readonly lint: typeof lintFunction;
}

type Configuration = Awaited<ReturnType<typeof loadFunction>>;

/**
 * Judges one message by the commitlint configuration of the directory's repository.
 *
 * @param cwd absolute: where the configuration is looked for, up to `root`
 * @param root absolute root of the work tree; without it only `cwd` is looked at
 * @throws OxideError as {@link commitlintLinter}
 */
export async function lintWithCommitlint(
  message: string,
  { cwd, root = cwd }: { readonly cwd: string; readonly root?: string },
): Promise<LintReport> {
  const file = findCommitlintConfiguration(cwd, root);
  if (file === null) {
    throw new OxideError('commitlint-absent', `There is no commitlint configuration in '${cwd}'.`);
  }
  return (await commitlintLinter(file)).lint(message);
}

/**
 * The linter for a commitlint configuration: the repository's own commitlint where it is installed, ours otherwise.
 *
 * @param file absolute path, see {@link findCommitlintConfiguration}
 * @throws OxideError `commitlint-configuration` (exit code 2) naming the file, when it can't be loaded or sets no rules
 */
export async function commitlintLinter(file: string): Promise<Linter> {
  if (!isRegularFile(file)) {
    throw broken(file, 'it is no regular file');
  }
  const { load, lint } = await commitlintFor(file);
  const configuration = await withExplanation(file, () => loadConfiguration(load, file));
  if (Object.keys(configuration.rules).length === 0) {
    throw broken(file, 'it sets no rules, so commitlint would refuse every message');
  }
  const options = {
    parserOpts: { ...(configuration.parserPreset?.parserOpts as object | undefined) },
    plugins: configuration.plugins ?? {},
    ignores: configuration.ignores ?? [],
    defaultIgnores: configuration.defaultIgnores ?? true,
  };
  return {
    convention: conventionOf(configuration),
    lint: (message) =>
      withExplanation(file, async () => {
        const { valid, errors, warnings } = await lint(message, configuration.rules, options);
        const { header: line, type, scope, subject, breaking } = parseMessage(message);
        const problems = [
          ...errors.map(({ name, message: text }) => ({ level: 'error' as const, rule: name, message: text })),
          ...warnings.map(({ name, message: text }) => ({ level: 'warning' as const, rule: name, message: text })),
        ];
        const ignored = line === null || (options.defaultIgnores && problems.length === 0 && isIgnored(message));
        return { valid, ignored, header: { type, scope, subject, breaking }, problems };
      }),
  };
}

async function commitlintFor(file: string): Promise<Commitlint> {
  const own = installedBeside(file);
  if (own !== null) {
    const [load, lint] = await Promise.all([import(own.load), import(own.lint)]);
    return { load: load.default, lint: lint.default };
  }
  const [load, lint] = await Promise.all([import('@commitlint/load'), import('@commitlint/lint')]);
  return { load: load.default, lint: lint.default };
}

/** The repository's copies, beside the configuration or beside its `@commitlint/cli`; as URLs. */
function installedBeside(file: string): { readonly load: string; readonly lint: string } | null {
  const require = createRequire(file);
  for (const from of [() => file, () => require.resolve('@commitlint/cli/package.json')]) {
    try {
      const { resolve } = createRequire(from());
      const url = (name: string): string => pathToFileURL(resolve(name)).href;
      return { load: url('@commitlint/load'), lint: url('@commitlint/lint') };
    } catch {
      // Not installed there.
    }
  }
  return null;
}

const conventionalName = '@commitlint/config-conventional';

async function loadConfiguration(load: Commitlint['load'], file: string): Promise<Configuration> {
  // Where this is unset commitlint starts npm to ask for it, half a second; and a TypeScript file would be cached on disk.
  process.env.npm_config_cache ??= join(homedir(), '.npm');
  process.env.JITI_FS_CACHE ??= 'false';
  const place = { cwd: dirname(file), file };
  try {
    return await load({}, place);
  } catch (error) {
    const parents = isMissingConventional(error) ? await parentsNamedIn(file) : [];
    if (!parents.some(isConventional)) {
      throw error;
    }
    const bundled = fileURLToPath(new URL('./config-conventional.mjs', import.meta.url));
    return load({ extends: parents.map((name) => (isConventional(name) ? bundled : name)) }, place);
  }
}

function isMissingConventional(error: unknown): boolean {
  return error instanceof Error && error.message.includes(`"${conventionalName}"`);
}

function isConventional(name: string): boolean {
  return name === conventionalName || name === '@commitlint/conventional';
}

/** What a configuration extends, read without commitlint, which gives up at a parent that is not installed. */
async function parentsNamedIn(file: string): Promise<readonly string[]> {
  const content = await contentOf(file);
  const parents = (content as { extends?: unknown } | undefined)?.extends ?? [];
  return [parents].flat().filter((name): name is string => typeof name === 'string');
}

async function contentOf(file: string): Promise<unknown> {
  if (/\.[cm]?ts$/.test(file)) {
    const { createJiti } = await import('jiti');
    return createJiti(pathToFileURL(file).href, { fsCache: false }).import(file, { default: true });
  }
  if (/\.[cm]?js$/.test(file)) {
    return ((await import(pathToFileURL(file).href)) as { default?: unknown }).default;
  }
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('package.json')) {
    return (JSON.parse(text) as { commitlint?: unknown }).commitlint;
  }
  return /^\s*\{/.test(text) ? JSON.parse(text) : { extends: parentsInYaml(text) };
}

/** `extends: x`, `extends: [x, y]`, or a list below it. */
function parentsInYaml(text: string): string[] {
  const [, inline = '', list = ''] = /^\s*extends:[ \t]*(.*)\n?((?:\s*-\s.*\n?)*)/m.exec(text) ?? [];
  return `${inline.replace(/[[\],]/g, '\n')}\n${list.replace(/^\s*-\s/gm, '')}`
    .split('\n')
    .map((name) => name.replace(/#.*$/, '').replace(/["']/g, '').trim())
    .filter((name) => name !== '');
}

/** What explanations and corrections may assume; the verdict is always commitlint's. */
function conventionOf({ rules }: Configuration): CommitConvention {
  const value = (name: string): unknown => (rules as Readonly<Record<string, unknown[] | undefined>>)[name]?.[2];
  const list = (name: string): readonly string[] | null => {
    const given = value(name);
    return Array.isArray(given) && given.every((item) => typeof item === 'string') ? given : null;
  };
  const length = (name: string, fallback: number): number => {
    const given = value(name);
    return typeof given === 'number' ? given : fallback;
  };
  return {
    ...conventional,
    types: list('type-enum') ?? conventional.types,
    scopes: list('scope-enum') ?? [],
    headerMaxLength: length('header-max-length', conventional.headerMaxLength),
    bodyMaxLineLength: length('body-max-line-length', conventional.bodyMaxLineLength),
    footerMaxLineLength: length('footer-max-line-length', conventional.footerMaxLineLength),
  };
}

async function withExplanation<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await printingAside(work);
  } catch (error) {
    throw error instanceof OxideError ? error : broken(file, messageOf(error));
  }
}

function broken(file: string, problem: string): OxideError {
  return new OxideError('commitlint-configuration', `The commitlint configuration ${file} can't be used: ${problem}`, {
    remedy: 'Correct the file, or install what it extends: npm install',
    exitCode: ExitCode.usage,
  });
}
