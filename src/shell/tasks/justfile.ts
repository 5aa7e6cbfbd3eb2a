import { posix } from 'node:path';
import { quoteWord } from '../../quote.ts';
import type { ProgramReader, Shell } from '../call.ts';
import { resolvePath } from '../path-resolution.ts';
import { beginningOf, knownWord } from '../simple-command.ts';
import { runMakefile } from './makefile.ts';
import { nearestFile, type ProjectFile } from './nearest-file.ts';
import { readRunnerWords } from './runner-words.ts';
import { justfiles } from './task-file-names.ts';

/** just(1) */
const valued =
  /^(?:-[fdE]|--(?:justfile|working-directory|shell|shell-arg|chooser|color|command-color|dotenv-filename|dotenv-path|list-heading|list-prefix|list-submodules|timestamp-format|tempdir|alias-style|dump-format|cygpath))$/;
const shows =
  /^(?:-[a-zA-Z]*[nlsehV]|--(?:dry-run|list|show|summary|dump|evaluate|fmt|choose|completions|edit|groups|help|init|man|usage|variables|version))$/;

/** A recipe's header: its name, its parameters, what it needs first. */
const headers =
  /^@?([A-Za-z_][\w-]*)((?:[ \t]+[^\s:=]+(?:=(?:'[^']*'|"[^"]*"|[^\s:]+))?)*)[ \t]*:(?!=)[ \t]*([^\n]*)$/gm;

interface Recipe {
  readonly parameters: readonly Parameter[];
  readonly needs: string;
}

interface Parameter {
  readonly name: string;
  readonly isRest: boolean;
  readonly preset: string | null;
}

function recipesOf(text: string): ReadonlyMap<string, Recipe> {
  return new Map(
    Array.from(text.matchAll(headers), ([, name = '', parameters = '', needs = '']) => [
      name,
      { parameters: parametersOf(parameters), needs },
    ]),
  );
}

function parametersOf(text: string): readonly Parameter[] {
  const written = text.matchAll(/([*+]?)\$?([\w-]+)(?:=(?:'([^']*)'|"([^"]*)"|(\S+)))?/g);
  return Array.from(written, ([, rest, name = '', single, double, bare]) => ({
    name,
    isRest: rest !== '',
    preset: single ?? double ?? bare ?? null,
  }));
}

/** The recipes that are asked for, and the values that their parameters have: a recipe takes as many words as it names. */
function asked(
  operands: readonly string[],
  recipes: ReadonlyMap<string, Recipe>,
  values: Map<string, string>,
): string[] {
  const targets: string[] = [];
  let index = 0;
  while (index < operands.length) {
    const name = operands[index]?.split('/').at(-1) ?? '';
    index += 1;
    targets.push(...(name === '' ? [] : [name]));
    for (const { name: parameter, isRest, preset } of recipes.get(name)?.parameters ?? []) {
      const given = isRest ? operands.slice(index).join(' ') : operands[index];
      values.set(parameter, given === undefined || given === '' ? (preset ?? '') : given);
      index = isRest ? operands.length : index + 1;
    }
  }
  return targets;
}

/** `a: (push "main")`: what a recipe hands to those that it needs. */
function handed(recipes: ReadonlyMap<string, Recipe>, values: Map<string, string>): void {
  for (const { needs } of recipes.values()) {
    for (const [, name = '', words = ''] of needs.matchAll(/\(([\w-]+)((?:\s+(?:"[^"]*"|'[^']*'|\w+))*)\s*\)/g)) {
      const given = Array.from(words.matchAll(/"([^"]*)"|'([^']*)'/g), ([, double, single]) => double ?? single ?? '');
      for (const [index, { name: parameter, preset }] of (recipes.get(name)?.parameters ?? []).entries()) {
        const value = given[index] ?? preset;
        if (value !== null && !values.has(parameter)) {
          values.set(parameter, value);
        }
      }
    }
  }
}

/** `set positional-arguments`: in recipes `"$@"` is what a recipe is given, `$1` its first word. */
function withPositional(justfile: string, given: readonly string[]): string {
  const isSet = /^set[ \t]+positional-arguments\b(?![ \t]*:=[ \t]*false)|^\[positional-arguments\]/m.test(justfile);
  return isSet
    ? justfile
        .replace(/"\$[@*]"|\$[@*]/g, () => given.map(quoteWord).join(' '))
        .replace(/"\$([1-9])"|\$([1-9])\b/g, (_, quoted, bare) => quoteWord(given[Number(quoted ?? bare) - 1] ?? ''))
    : justfile;
}

/** `[working-directory: 'src']` before a recipe, `set working-directory := 'src'` for all. */
const attribute = /^\[.*\bworking-directory\s*[:(]\s*(["'])([^"'{}]*)\1/;
const setting = /^set[ \t]+working-directory[ \t]*:=[ \t]*(["'])([^"'{}]*)\1/m;

/** What runs the text that follows `#!` and how it is told of it. */
const interpreters =
  /^\s*#!\s*(?:\S*\/)?(?:env\s+(?:-S\s+)?)?(?:\S*\/)?((?:ba|da|z|k)?sh|python[\d.]*|node|ruby|perl)\b([^\n]*)$/;

/**
 * The justfile with each command in the directory of its recipe, and a recipe for another program as one command of that
 * program (just's manual, "Working Directory", "Shebang Recipes").
 */
function withPlacedRecipes(justfile: string): string {
  const everywhere = setting.exec(justfile)?.[2] ?? null;
  const made: string[] = [];
  let directory = everywhere;
  const lines = justfile.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    made.push(line);
    directory = line.startsWith('[') ? (attribute.exec(line)?.[2] ?? directory) : directory;
    if (isHeader(line)) {
      const end = lines.findIndex((one, index) => index > at && /^\S/.test(one));
      const body = lines.slice(at + 1, end < 0 ? undefined : end);
      made.push(...placedBody(body, directory));
      at += body.length;
      directory = everywhere;
    }
  }
  return made.join('\n');
}

const isHeader = (line: string): boolean => Array.from(line.matchAll(headers)).length > 0;

function placedBody(body: readonly string[], directory: string | null): readonly string[] {
  const prefix = directory === null ? '' : `cd ${quoteWord(directory)} && `;
  const [first = '', ...rest] = body;
  const [, interpreter, options = ''] = interpreters.exec(first) ?? [];
  if (interpreter !== undefined) {
    const option = /sh$|^python/.test(interpreter) ? '-c' : '-e';
    return [`\t${prefix}${interpreter}${options} ${option} ${quotedLines(rest)}`];
  }
  return body.map((line, at) =>
    line.trim() === '' || body[at - 1]?.endsWith('\\') === true
      ? line
      : line.replace(/^(\s*[@-]*)/, (before) => before + prefix),
  );
}

/** Lines as one word on one line. */
function quotedLines(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const text = lines.map((line) => line.slice(Math.min(...indents))).join('\n');
  const escaped = text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return `$'${escaped}'`;
}

/** A justfile as the makefile that would do the same (just's manual): `{{x}}` is `$(x)`, and parameters are variables. */
function asMakefile(justfile: string): string {
  return justfile
    .replaceAll('$', () => '$$')
    .replace(/^((?:export[ \t]+)?(?!alias\b|set\b)[\w-]+[ \t]*):=/gm, '$1=')
    .replace(/^alias[ \t]+([\w-]+)[ \t]*:=[ \t]*([\w-]+)/gm, '$1: $2')
    .replace(
      headers,
      (_, name: string, __, needs: string) => `${name}: ${needs.replace(/\(([\w-]+)[^)]*\)/g, '$1').replace('&&', '')}`,
    )
    .replace(/^[ \t]+/gm, '\t')
    .replace(/\{\{\s*([\w-]+)\s*\}\}/g, '$$($1)');
}

/** `just [OPTION…] [NAME=VALUE…] RECIPE [ARGUMENT…] [RECIPE…]` */
const runJust: ProgramReader = (call, shell) => {
  const { words, sets } = withoutSets(call.argv.slice(1).map(beginningOf));
  const { values, operands, rest, onlyShows } = readRunnerWords(words, valued, shows, true);
  const { cwd } = call.state;
  if (onlyShows || cwd.kind !== 'known') {
    return null;
  }
  const named = values.get('-f') ?? values.get('--justfile');
  const elsewhere = values.get('-d') ?? values.get('--working-directory');
  const recipesNamed = operands.filter((word) => !/^\w+=/.test(word));
  const below = /^(.*)\/[^/]*$/.exec(recipesNamed[0] ?? '')?.[1];
  const found =
    named === undefined
      ? nearestFile(justfiles, { ...cwd, path: resolvePath(knownWord(below ?? '.'), cwd) ?? cwd.path }, shell)
      : fileAt(resolvePath(knownWord(named), cwd), shell);
  if (found === null) {
    return null;
  }
  const given = new Map(sets);
  for (const word of operands) {
    const [, name, value = ''] = /^(\w+)=([\s\S]*)$/.exec(word) ?? [];
    if (name !== undefined) {
      given.set(name, value);
    }
  }
  const recipes = recipesOf(found.text);
  const targets = asked([...recipesNamed, ...rest], recipes, given);
  handed(recipes, given);
  const directory =
    elsewhere === undefined ? found.directory : (resolvePath(knownWord(elsewhere), cwd) ?? found.directory);
  const text = withPositional(found.text, [...recipesNamed, ...rest].slice(1));
  return runMakefile(asMakefile(withPlacedRecipes(text)), { targets, variables: given, base: directory }, call, shell);
};

function fileAt(path: string | null, shell: Shell): ProjectFile | null {
  const text = path === null ? null : shell.overlay.tasks(path);
  return path === null || text === null ? null : { directory: posix.dirname(path), text };
}

/** `--set NAME VALUE` takes two words. */
function withoutSets(words: readonly string[]): { words: readonly string[]; sets: ReadonlyMap<string, string> } {
  const sets = new Map<string, string>();
  const kept = words.filter((word, index) => {
    const [before, second] = [words[index - 1], words[index - 2]];
    if (second === '--set') {
      sets.set(before ?? '', word);
    }
    return word !== '--set' && before !== '--set' && second !== '--set';
  });
  return { words: kept, sets };
}

/** A row for the table of carriers. */
export const justProgram: readonly [string, ProgramReader] = ['just', runJust];
