import type { Call, Shell } from '../call.ts';
import { resolvePath } from '../path-resolution.ts';
import { beginningOf, knownWord, type Word } from '../simple-command.ts';
import { withBeginning } from '../words/field.ts';
import type { EnvironmentOptions } from './wrapper.ts';
import { type GivenOption, readAssignment } from './wrapper-words.ts';

/** A variable, with quotes around its value or a comment behind it: dotenv's README "Rules". */
const variable =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(?:"([^"]*)"|'([^']*)'|([^#\n\r]*?))[ \t\r]*(?:#.*)?$/gm;

/** `Environment=A=1 B=2`, each of which may stand in quotes. */
const assignments = /"([^"]*)"|'([^']*)'|\S+/g;

/** Variables that a program is told of by its options, as they are when it runs the other one. */
export function givenVariables(
  environment: EnvironmentOptions,
  given: readonly GivenOption[],
  { state }: Call,
  shell: Shell,
): ReadonlyMap<string, Word> {
  const { usual, isElsewhere = false } = environment;
  const { files, words } = told(environment, given);
  const paths = files.length === 0 && usual !== undefined ? [knownWord(usual)] : files;
  const found = new Map<string, Word>();
  for (const word of paths) {
    const path = word.kind === 'known' ? resolvePath(word, state.cwd) : null;
    const text = path === null ? null : shell.overlay.tasks(path);
    for (const [, name = '', double, single, bare] of (text ?? '').matchAll(variable)) {
      // What is set already stays: files only add to it.
      if (shell.environment[name] === undefined && !state.variables.has(name)) {
        found.set(name, knownWord(double ?? single ?? bare ?? ''));
      }
    }
  }
  for (const { name, value } of words.flatMap((word) => readAssignment(word) ?? [])) {
    found.set(name, value);
  }
  return isElsewhere ? new Map([...found].filter(([, value]) => !/^[/~]/.test(beginningOf(value)))) : found;
}

interface Told {
  readonly files: readonly Word[];
  /** `NAME=value` */
  readonly words: readonly Word[];
}

function told(
  { files = [], variables = [], pairs = [], properties = [] }: EnvironmentOptions,
  given: readonly GivenOption[],
): Told {
  const of = (names: readonly string[]) => given.filter(({ name }) => names.includes(name));
  const values = (names: readonly string[]) => of(names).flatMap((option) => option.values);
  const paired = of(pairs).flatMap(({ values: [name, value] }) =>
    name?.kind === 'known' && value !== undefined ? [withBeginning(`${name.value}=`, value)] : [],
  );
  const set = values(properties).flatMap((word) => propertyOf(word) ?? []);
  return {
    files: [
      ...values(files),
      ...set.flatMap(({ name, text }) => (name === 'EnvironmentFile' ? [knownWord(text)] : [])),
    ],
    words: [
      ...values(variables),
      ...paired,
      ...set.flatMap(({ name, text }) => (name === 'Environment' ? split(text) : [])),
    ],
  };
}

function propertyOf(word: Word): { readonly name: string; readonly text: string } | null {
  const [, name, text] = /^(Environment(?:File)?)=-?([\s\S]*)$/.exec(word.kind === 'known' ? word.value : '') ?? [];
  return name === undefined || text === undefined ? null : { name, text };
}

function split(text: string): readonly Word[] {
  return Array.from(text.matchAll(assignments), ([whole, double, single]) => knownWord(double ?? single ?? whole));
}
