import type { Call, Shell } from '../call.ts';
import { resolvePath } from '../path-resolution.ts';
import { knownWord, type Word } from '../simple-command.ts';
import type { EnvironmentFiles } from './wrapper.ts';
import { readAssignment } from './wrapper-words.ts';

/** A variable, with quotes around its value or a comment behind it: dotenv's README "Rules". */
const variable =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(?:"([^"]*)"|'([^']*)'|([^#\n\r]*?))[ \t\r]*(?:#.*)?$/gm;

/** Variables of such files, as they are when the program runs. What is set already stays: they only add to it. */
export function fileVariables(
  { files, variables = [], usual }: EnvironmentFiles,
  named: ReadonlyMap<string, Word | null>,
  { state }: Call,
  shell: Shell,
): ReadonlyMap<string, Word> {
  const given = files.flatMap((option) => named.get(option) ?? []);
  const paths = given.length === 0 && usual !== null ? [knownWord(usual)] : given;
  const found = new Map<string, Word>();
  for (const word of paths) {
    const path = word.kind === 'known' ? resolvePath(word, state.cwd) : null;
    const text = path === null ? null : shell.overlay.tasks(path);
    for (const [, name = '', double, single, bare] of (text ?? '').matchAll(variable)) {
      if (shell.environment[name] === undefined && !state.variables.has(name)) {
        found.set(name, knownWord(double ?? single ?? bare ?? ''));
      }
    }
  }
  for (const assignment of variables.map((option) => readAssignment(named.get(option) ?? undefined))) {
    if (assignment !== null) {
      found.set(assignment.name, assignment.value);
    }
  }
  return found;
}
