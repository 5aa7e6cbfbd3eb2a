import { directoryOf, holdsOwnDirectory } from '../inline-directories.ts';
import { InlineFunctions } from '../inline-functions.ts';
import type { SourceArgument } from '../source/argument.ts';
import { argumentsAt, readArgument } from '../source/arguments.ts';
import type { Language } from '../source/languages.ts';

/** Where a library is told which repository it is about: GitPython, pygit2, simple-git. */
const openings = /\b(?:Repo|Git|Repository|simpleGit|simpleGitP)\s*\(|\bsimple-git["']\s*\)\s*\(|\.\s*cwd\s*\(/g;
/** `Repo(path='x')`, `simpleGit({ baseDir: 'x' })`, `git.cwd({ path: 'x' })` */
const named = /^\{[\s\S]*?\b(?:baseDir|path)\s*:([^,}]*)|^path\s*=(?!=)([\s\S]*)$/;
/** Options of other names. */
const others = /^(?:\{|\w+\s*=(?!=))/;

const maximumOpenings = 20;

/**
 * The directory of the repository to which a program does something through a library.
 *
 * @returns null where it is not known, or one of several; undefined for the program's own
 */
export function libraryDirectory(language: Language, source: string, code: string): string | null | undefined {
  const calls = Array.from(source.matchAll(openings)).slice(0, maximumOpenings);
  const functions = calls.length === 0 ? null : new InlineFunctions(language, source);
  const given = calls.flatMap((match) => {
    const start = match.index + match[0].length;
    const [first] = argumentsAt(source, code, start, language.interpolation) ?? [];
    const path = first === undefined ? null : pathIn(first, language);
    const isOwn = path?.kind === 'name' && holdsOwnDirectory(path.name, source);
    return path === null || isOwn ? [] : directoriesOf(path, start, functions);
  });
  const [only, ...more] = new Set(given.map((directory) => (directory === '.' ? undefined : directory)));
  return more.length > 0 ? null : only;
}

function pathIn(argument: SourceArgument, { interpolation }: Language): SourceArgument | null {
  if (argument.kind !== 'other') {
    return argument;
  }
  const [, field, keyword] = named.exec(argument.written) ?? [];
  const path = field ?? keyword;
  return path === undefined ? (others.test(argument.written) ? null : argument) : readArgument(path, interpolation);
}

function directoriesOf(
  path: SourceArgument,
  position: number,
  functions: InlineFunctions | null,
): readonly (string | null | undefined)[] {
  return path.kind === 'name' ? (functions?.textsOf(path.name, position) ?? []) : [directoryOf(path)];
}
