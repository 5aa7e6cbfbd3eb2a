import { dirname, join, resolve } from 'node:path';
import { build, type UserConfig } from 'tsdown';
import { runCachedId } from './src/code-cache.ts';
import { type AgentPart, checkNames, grammar, partOf } from './tsdown.agent-parts.ts';

export const agentJudge = 'src/cli/agent-judge.entry.ts';

/**
 * The modules of the agents' hook, each a CommonJS file of its own by its name. In these `x_1.name` stands for what was
 * imported; `x_1` is replaced by its `require`, wherever it stands.
 */
async function separateModules(): Promise<ReadonlyMap<string, string>> {
  const bundles = await build({
    config: false,
    // Two, so that files are named from the directory of both, which is that of all sources.
    entry: [agentJudge, 'src/node-start.ts'],
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
  checkNames(new Set(modules.keys()));
  return modules;
}

let separated: Promise<ReadonlyMap<string, string>> | undefined;

/** The module that a module means by `source`. */
const named = (file: string, source: string): string => (source === grammar ? grammar : join(dirname(file), source));

/** What modules import from others that are not node's. */
const imports = /require\("(\.[^"]+|unbash)"\)/g;

/** Modules by the numbers that the parts know them by. */
type Numbers = readonly string[];

/** A module's code in a part of the hook: those of other parts are asked for by their numbers. */
function inPart(part: AgentPart, file: string, code: string, numbers: Numbers): string {
  return code.replace(imports, (call, source: string) => {
    const target = named(file, source);
    return partOf(target) === part ? call : `otherModule("${partOf(target)}", ${numbers.indexOf(target)})`;
  });
}

/** A function that returns those modules of a part that others use, by number. */
function usedModules(modules: ReadonlyMap<string, string>, part: AgentPart, numbers: Numbers): string {
  const used = [...modules].flatMap(([file, code]) =>
    [...code.matchAll(imports)]
      .map(([, source = '']) => named(file, source))
      .filter((target) => partOf(target) === part && partOf(file) !== part),
  );
  const cases = [...new Set(used)].map((file) => {
    const source = file === grammar ? grammar : `./${file}`;
    return `case ${numbers.indexOf(file)}: return require("${source}");`;
  });
  return `module.exports = (number) => { switch (number) { ${cases.join('\n')} } };`;
}

/** The module that gives a part's modules to the others. */
const link = 'link.cjs';

/** How parts other than `judge` are given what asks for modules of others. */
const ofOthers = 'oxide-guard:other-module';

/** Runs a part when something in it is used. */
const runParts = `
  const parts = { __proto__: null };
  const started = [];
  const requireForPart = (id) => id === '${ofOthers}' ? otherModule : require(id);
  const runPart = (part) => require('${runCachedId}')(\`\${__dirname}/agent-\${part}.cjs\`, requireForPart);
  const otherModule = (part, number) => started[number] ??= (parts[part] ??= runPart(part))(number);`;

/** What stands before a part's modules. */
const beginnings: Readonly<Record<AgentPart, string>> = {
  judge: runParts,
  push: `const otherModule = require('${ofOthers}');`,
  guards: `const otherModule = require('${ofOthers}');`,
  shell: `const otherModule = require('${ofOthers}');`,
};

/**
 * Makes each module of a bundle start with the first use of something in it: a call of the agents' hook needs a third of
 * them, and what every module does at its start (tables, patterns, classes) costs more than the judgement. The bundler
 * makes functions of CommonJS modules, which `separateModules` leaves.
 */
export function lazyModules(part: AgentPart): NonNullable<UserConfig['plugins']> {
  const prefix = '\0lazy/';
  const entry = 'cli/agent-judge.entry.cjs';
  const sources = new Map<string, string>();
  return {
    name: 'lazy-modules',
    async buildStart() {
      separated ??= separateModules();
      const modules = await separated;
      const numbers = [...modules.keys(), grammar];
      for (const [file, code] of modules) {
        sources.set(prefix + file, inPart(part, file, code, numbers));
      }
      sources.set(prefix + link, usedModules(modules, part, numbers));
      if (part === 'judge') {
        sources.set(prefix + entry, `parts.judge = require("/${link}");\n${sources.get(prefix + entry)}`);
      }
    },
    resolveId(source: string, importer: string | undefined) {
      if (importer === undefined) {
        return prefix + (part === 'judge' ? entry : link);
      }
      if (!importer.startsWith(prefix)) {
        return null;
      }
      if (source === `/${link}`) {
        return prefix + link;
      }
      return source.startsWith('.')
        ? prefix + named(importer.slice(prefix.length), source)
        : this.resolve(source, resolve(agentJudge));
    },
    load: (id: string) => sources.get(id) ?? null,
    generateBundle(_: unknown, bundle: Record<string, { type: string; code?: string }>): void {
      for (const chunk of Object.values(bundle)) {
        chunk.code &&= `${beginnings[part]}\nlet moduleCount = 0;\n${withOwnStarts(chunk.code)}`;
      }
    },
  };
}

/**
 * How the bundler starts a module, with two changes.
 *
 * What a module exports is a table from the start, which an object without a prototype is. Of any other object V8 makes
 * a new hidden class for each name that it gets: 1.5 % of a call's instructions.
 *
 * `module.started` becomes a number for the modules that were started, in whatever order (see `runCached`).
 */
function withOwnStarts(code: string): string {
  const start =
    /(\w+)=\((\w+),(\w+)\)=>\(\)=>\(\3\|\|\(\2\(\(\3=\{exports:\{\}\}\)\.exports,\3\),\2=null\),\3\.exports\)/;
  if (!start.test(code)) {
    throw new Error('The bundler starts its modules in another way.');
  }
  return code.replace(
    start,
    `$1=($2,$3,number=++moduleCount)=>()=>($3||(module.started^=Math.imul(number,0x9e3779b1),` +
      `$2(($3={exports:{__proto__:null}}).exports,$3),$2=null),$3.exports)`,
  );
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
