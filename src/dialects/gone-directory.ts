import { existsSync } from 'node:fs';
import { kindOf } from '../git/files.ts';
import type { Environment } from '../git/runner.ts';
import { readInvocation } from '../guards/git-command/invocation.ts';
import { readCommandLine } from '../shell/command-line.ts';
import { type Directory, knownWord, programName, type SimpleCommand } from '../shell/simple-command.ts';

/** Where a command can be judged, or why one that may involve git can't. */
export type Standing =
  | { readonly kind: 'directory'; readonly cwd: string }
  | { readonly kind: 'gone'; readonly reason: string; readonly suggestion: string };

/**
 * The directory that a command begins in. Agents remove the work tree that their shell stands in: what goes to another
 * directory first (`cd /repo && git status`, `git -C /repo status`) is judged there. Where nothing says which repository
 * a git command would reach, it can't be judged; what is none of git's business can.
 *
 * @param isKnown whether the directory was there a moment ago
 */
export function standingOf(
  command: string,
  cwd: string,
  env: Environment,
  isKnown: (path: string) => boolean = mayStandIn,
): Standing {
  if (!/git/i.test(command) || isKnown(cwd)) {
    return { kind: 'directory', cwd };
  }
  const place = leadsTo(command, cwd, env) ?? (isData(command, cwd, env) ? cwd : null);
  return place !== null
    ? { kind: 'directory', cwd: place }
    : {
        kind: 'gone',
        reason: `Its directory ${cwd} is not there, so nobody knows which repository it would reach.`,
        suggestion: 'cd /path/of/the/repository && …',
      };
}

/**
 * Is a directory there to begin in? path_resolution(7): a dot is found in a directory alone. One that may not be entered is
 * looked at more closely.
 */
export function mayStandIn(path: string): boolean {
  return existsSync(`${path}/.`) || kindOf(path) === 'directory';
}

/**
 * Where a line goes, or sends git, before it does anything else, if it does everything in directories that are there,
 * and would do so from there as well.
 */
function leadsTo(command: string, cwd: string, env: Environment): string | null {
  const places = placesOf(command, cwd, env);
  const [first] = places;
  const stays = first !== undefined && placesOf(command, first, env).every((place, at) => place === places[at]);
  return stays && places.every(mayStandIn) ? first : null;
}

/** Is git only talked of, by a line that goes nowhere? What else it does is none of git's business, or says where. */
function isData(command: string, cwd: string, env: Environment): boolean {
  if (/\b(?:cd|pushd|popd)\b/.test(command)) {
    return false;
  }
  const { steps, truncated } = readCommandLine(command, { cwd, env });
  return (
    truncated === null && steps.every((step) => step.kind === 'write' || (step.kind === 'command' && isOther(step)))
  );
}

function isOther({ argv }: SimpleCommand): boolean {
  const name = programName(argv[0]);
  return name !== null && !/^git(?:-.*)?$/.test(name);
}

/** The directory of each step in turn; none where the line can't be read to its end, or one of them is not known. */
function placesOf(command: string, cwd: string, env: Environment): readonly string[] {
  const { steps, truncated } = readCommandLine(command, { cwd, env });
  const places = steps.flatMap((step) => {
    const place = step.kind === 'command' ? placeOf(step, env) : step.cwd;
    return place.kind === 'known' ? [place.path] : [];
  });
  return truncated === null && places.length === steps.length ? places : [];
}

function placeOf({ argv, cwd, env: changed }: SimpleCommand, env: Environment): Directory {
  const [program, ...words] = argv;
  const lookUp = (name: string) => changed.get(name) ?? (env[name] === undefined ? null : knownWord(env[name]));
  return programName(program) === 'git' ? readInvocation(words, cwd, lookUp).directory : cwd;
}
