import { dirname, join, resolve } from 'node:path';
import { build, type UserConfig } from 'tsdown';

export const agentJudge = 'src/cli/agent-judge.entry.ts';

/** The one package that is used: a shell's grammar. */
const grammar = 'unbash';

/** The larger modules of `src/shell` that a line of plain words never needs. */
const forOtherLines: readonly string[] = [
  'argument-feeders',
  'arithmetic',
  'awk',
  'brace-expansion',
  'builtins',
  'compound-command',
  'condition',
  'containers',
  'directory-builtins',
  'field',
  'find',
  'find-expression',
  'inline-file-changes',
  'inline-functions',
  'inline-imports',
  'inline-libraries',
  'inline-program',
  'inline-requests',
  'input-builtins',
  'known-output',
  'language-program',
  'languages',
  'make-expansion',
  'makefile',
  'merged-values',
  'open-command',
  'option-script',
  'other-machines',
  'package-scripts',
  'parallel',
  'parameter',
  'parameter-expansion',
  'parameter-operation',
  'pathname-expansion',
  'pattern',
  'printf',
  'program-sources',
  'release-tools',
  'scheduled-jobs',
  'shell-invocation',
  'source-arguments',
  'source-functions',
  'source-literal',
  'stream',
  'subcommand-wrappers',
  'task-files',
  'text-filters',
  'variable-builtins',
  'wrapper-reading',
  'wrapper-words',
  'wrappers',
];

type Part = 'first' | 'second';

/**
 * The agents' hook is two bundles: to read a program costs 2 ms for every megabyte, and a line of plain words needs the
 * first only. The second has the grammar and what reads other lines, and programs.
 */
const secondPart: ReadonlySet<string> = new Set([grammar, ...forOtherLines.map((name) => `shell/${name}.cjs`)]);

const partOf = (file: string): Part => (secondPart.has(file) ? 'second' : 'first');

/**
 * The modules of the agents' hook, each a CommonJS file of its own by its name. In these `x_1.name` stands for what was
 * imported; `x_1` is replaced by its `require`, wherever it stands.
 */
async function separateModules(): Promise<ReadonlyMap<string, string>> {
  const bundles = await build({
    config: false,
    entry: [agentJudge, 'src/code-cache.ts'],
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    unbundle: true,
    write: false,
    clean: false,
    dts: false,
    logLevel: 'error',
    // A grammar's modules depend on each other's start.
    deps: { neverBundle: [grammar] },
    inputOptions: { resolve: { mainFields: ['module', 'main'] } },
  });
  const chunks = bundles.flatMap(({ chunks }) => chunks).filter((chunk) => chunk.type === 'chunk');
  const modules = new Map(chunks.map(({ fileName, code }) => [fileName, withInlineRequires(code)]));
  const gone = [...secondPart].filter((file) => file !== grammar && !modules.has(file));
  if (gone.length > 0) {
    throw new Error(`The agents' hook has no ${gone.join(', ')} any more: what is it called now?`);
  }
  return modules;
}

/** The module that a module means by `source`. */
const named = (file: string, source: string): string => (source === grammar ? grammar : join(dirname(file), source));

/** An object of functions that return modules: those of a part that the other one uses, by name. */
function usedModules(modules: ReadonlyMap<string, string>, part: Part): string {
  const used = [...modules].flatMap(([file, code]) =>
    [...code.matchAll(/require\("(\.[^"]+|unbash)"\)/g)]
      .map(([, source = '']) => named(file, source))
      .filter((target) => partOf(target) === part && partOf(file) !== part),
  );
  const call = (file: string) => `require("${file === grammar ? grammar : `./${file}`}")`;
  // The bundler takes the value of `() => require(…)` for one that nobody uses.
  return `{${[...new Set(used)].map((file) => `"${file}": () => { const found = ${call(file)}; return found; }`).join()}}`;
}

/** How the second part asks for a module of the first. */
const ofFirst = 'first:';

/** What stands in each part for one module of the other: itself, as the other part has started it. */
const standIn: Readonly<Record<Part, (file: string) => string>> = {
  first: (file) => `module.exports = require("/${link}").module("${file}");`,
  second: (file) => `module.exports = require("${ofFirst}${file}");`,
};

/** The module by which each part reaches the other. */
const link = 'link.cjs';

/** Runs the second part when something in it is used, and gives it a `require` that knows the first one's modules. */
const runSecond = (modules: ReadonlyMap<string, string>) => `
  const { join } = require("node:path");
  let modules;
  exports.module = (name) => {
    modules ??= require("./code-cache.cjs").runCached(join(__dirname, "agent-shell.cjs"), requireForSecond());
    return modules[name]();
  };
  function requireForSecond() {
    const first = ${usedModules(modules, 'first')};
    return (id) => id.startsWith("${ofFirst}") ? first[id.slice(${ofFirst.length})]() : require(id);
  }`;

/**
 * Makes each module of a bundle start with the first use of something in it: a call of the agents' hook needs a third of
 * them, and what every module does at its start (tables, patterns, classes) costs more than the judgement. The bundler
 * makes functions of CommonJS modules, which `separateModules` leaves.
 */
export function lazyModules(part: Part): NonNullable<UserConfig['plugins']> {
  const prefix = '\0lazy/';
  const elsewhere = '?elsewhere';
  const sources = new Map<string, string>();
  return {
    name: 'lazy-modules',
    async buildStart() {
      const modules = await separateModules();
      for (const [file, code] of modules) {
        sources.set(prefix + file, code);
      }
      for (const file of [grammar, ...modules.keys()]) {
        sources.set(prefix + file + elsewhere, standIn[part](file));
      }
      sources.set(
        prefix + link,
        part === 'first' ? runSecond(modules) : `module.exports = ${usedModules(modules, 'second')};`,
      );
    },
    resolveId(source: string, importer: string | undefined) {
      if (importer === undefined) {
        return prefix + (part === 'first' ? 'cli/agent-judge.entry.cjs' : link);
      }
      if (!importer.startsWith(prefix)) {
        return null;
      }
      if (source === `/${link}`) {
        return prefix + link;
      }
      if (source.startsWith(ofFirst)) {
        return { id: source, external: true };
      }
      const isModule = source.startsWith('.') || (source === grammar && part === 'first');
      if (!isModule) {
        return this.resolve(source, resolve(agentJudge));
      }
      const file = named(importer.slice(prefix.length), source);
      return prefix + file + (partOf(file) === part ? '' : elsewhere);
    },
    load: (id: string) => sources.get(id) ?? null,
    generateBundle(_: unknown, bundle: Record<string, { type: string; code?: string }>): void {
      for (const chunk of Object.values(bundle)) {
        chunk.code &&= withPlainExports(chunk.code);
      }
    },
  };
}

/**
 * What a module exports, as a table from the start, which an object without a prototype is. Of any other object V8 makes a
 * new hidden class for each name that it gets: 1.5 % of a call's instructions.
 */
function withPlainExports(code: string): string {
  const start = /\((\w+)=\{exports:\{\}\}\)\.exports,\1\)/;
  if (!start.test(code)) {
    throw new Error('The bundler starts its modules in another way.');
  }
  return code.replace(start, '($1={exports:{__proto__:null}}).exports,$1)');
}

/** Replaces the names that the bundler gave to a module's imports by the imports themselves. */
function withInlineRequires(code: string): string {
  const imports = new Map<string, string>();
  const body = code.replace(/^(?:const|let) (\w+) = (require\(".+"\));\n/gm, (whole, name: string, call: string) => {
    if (call.startsWith('require("node:')) {
      return whole;
    }
    imports.set(name, `(${call})`);
    return '';
  });
  return body.replace(/(?<![\w$]|(?<!\.\.)\.)require_\w+|(?<![\w$.])unbash\b/g, (name) => imports.get(name) ?? name);
}
