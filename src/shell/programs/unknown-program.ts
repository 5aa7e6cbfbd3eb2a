import { type Call, framed, type Shell } from '../call.ts';
import { mergeOutcome } from '../merged-states.ts';
import { listedFiles } from '../outputs/listed-files.ts';
import { resolvePath } from '../path-resolution.ts';
import { doubtful, either, type Outcome } from '../shell-state.ts';
import { knownWord, type UnknownWord, type Word } from '../simple-command.ts';
import { fieldsOf, runOneOf, wordsOfValue } from '../word-choices.ts';
import { unknownWord } from '../words/parameter.ts';
import { readerByName } from './file-readers.ts';
import { runScriptFile } from './shell-invocation.ts';
import { wrappers } from './wrappers.ts';

/** A word that names a file is no subcommand of anything. */
function isFileName(word: Word | undefined): boolean {
  return word?.kind === 'known' && /[./]/.test(word.value) && !/^-|=|^\.+$/.test(word.value);
}

/** The program that reads `script.py`, whatever a variable calls it; null where it may be a shell. */
function readerOf(file: Word | undefined, { state }: Call, { overlay }: Shell): string | null {
  const reader = file?.kind === 'known' ? readerByName(file.value) : null;
  const path = reader === null || reader === 'sh' || file === undefined ? null : resolvePath(file, state.cwd);
  const asksForOther =
    path !== null && overlay.scripts(path).some((one) => one.kind === 'text' && /^#!/.test(one.text));
  return path === null || asksForOther ? null : reader;
}

/** Programs that are installed under names with a version: `python3.11`. */
const versioned = /^(?:python|ruby|perl|php|lua|node|java|gcc|g\+\+|clang|llvm-\w+)[\d.-]*$/;

/** The program's name, and words that follow it, where beginning or end of what is not known say so much. */
function nameOfUnknown({ prefix, suffix, mayExpandToSeveral, reason, source }: UnknownWord): readonly Word[] | null {
  const [, name, others = ''] = mayExpandToSeveral ? (/^\s*([^\s=]+)\s+(?:([\s\S]*)\s)?/.exec(prefix) ?? []) : [];
  if (name !== undefined) {
    return [knownWord(name), ...fieldsOf(others).map(knownWord), unknownWord(source, reason)];
  }
  // `echo"files: $(ls | wc -l)"`, with the space forgotten: no program is called like that.
  if (versioned.test(prefix) || (!mayExpandToSeveral && /^[^/]+\s[^/]*$/.test(prefix))) {
    return [knownWord(prefix)];
  }
  const end = /(?:^|\/)([\w.+-]+)$/.exec(suffix)?.[1] ?? '';
  return mayExpandToSeveral || end.length < 4 ? null : [knownWord(end)];
}

/**
 * A program whose name is not known: any. An unquoted one may be no word at all (`$SUDO git push`).
 *
 * @param first the call's first word
 */
export function runUnknownProgram(first: UnknownWord, call: Call, shell: Shell): Outcome {
  const rest = call.argv.slice(1);
  const called = (words: readonly Word[]): Call => ({ ...call, argv: [...words, ...rest] });
  if (first.oneOf !== undefined) {
    return runOneOf(first.oneOf, call.state, (value, state) =>
      shell.run({ ...called(wordsOfValue(first, value)), state }),
    );
  }
  const listed = listedFiles(first, call.state.cwd, shell.overlay, 'all') ?? [];
  if (listed.length > 0) {
    const state = doubtful(call.state);
    return listed.map((file) => shell.run({ ...called([knownWord(file)]), state })).reduce(mergeOutcome);
  }
  const named = nameOfUnknown(first);
  if (named !== null) {
    return shell.run({ ...called(named), lookup: 'programs' });
  }
  const choices = presumedPrograms(first, rest);
  if (choices.length > 0) {
    return runOneOf(choices, call.state, (name, state) => shell.run({ ...called([knownWord(name)]), state }));
  }
  const isOnePath = !first.mayExpandToSeveral || readerOf(rest[0], call, shell) !== null;
  return isOnePath && isFileName(rest[0]) ? runOnFile(first, call, shell) : runAny(first, call, shell);
}

/** `"$PYTHON" script.py`: one program whose first word is a file. It may be a shell that runs the file. */
function runOnFile(first: UnknownWord, call: Call, shell: Shell): Outcome {
  shell.emitCommand(call);
  const [file, ...rest] = call.argv.slice(1);
  const state = doubtful(call.state);
  const reader = readerOf(file, call, shell);
  const path = file?.kind === 'known' && !file.value.includes('/') ? knownWord(`./${file.value}`) : file;
  if (first.mayBe?.some((value) => value.trim() !== '')) {
    // `"${PAGER:-less}" script.py`: the default tells what such programs do with a file.
    runDefaults(first, call, shell);
  } else if (reader !== null) {
    shell.run({ ...call, argv: [knownWord(reader), ...call.argv.slice(1)], state, lookup: 'programs' });
  } else if (path !== undefined) {
    runScriptFile({ ...call, argv: [path, ...rest], state }, shell);
  }
  return either(call.state);
}

/** Any program at all, the variable's default among them. */
function runAny(first: UnknownWord, call: Call, shell: Shell): Outcome {
  const [next, ...others] = call.argv.slice(1);
  const mayBeNothing = first.mayExpandToSeveral && first.prefix + first.suffix === '';
  if (!(mayBeNothing && first.ownValueOf !== undefined && isGit(next))) {
    shell.emitUnreadable(call, 'program', `which program runs is not known: ${first.reason}`);
  }
  // What looks through a wrapper finds what is there without it.
  const isWrapper = mayBeNothing && first.mayBe?.every((value) => wrappers.has(value)) === true;
  if (!isWrapper) {
    runDefaults(first, call, shell);
  }
  call.frame.output?.append(unknownWord(call.source, 'which program prints it is not known'), call.state.path);
  const isOption = next?.kind === 'known' && next.value.startsWith('-');
  if (mayBeNothing && next && !isOption) {
    shell.run({ ...call, argv: [next, ...others], state: doubtful(call.state) });
  }
  return either(call.state);
}

/** `${RUNNER:-tsx} x.ts`: what runs for want of another, beside all that it may be. */
function runDefaults(first: UnknownWord, call: Call, shell: Shell): void {
  const state = doubtful(call.state);
  const frame = framed(call.frame, { output: null });
  for (const value of first.mayBe ?? []) {
    const words = wordsOfValue(first, value);
    if (words.length > 0) {
      shell.run({ ...call, argv: [...words, ...call.argv.slice(1)], state, frame });
    }
  }
}

function isGit(word: Word | undefined): boolean {
  return word?.kind === 'known' && /^(?:\/\S*\/)?git$/.test(word.value);
}

/** `PYTHON`, `NODE_BIN`: what is said to be an interpreter. */
const interpreterVariable = /^(?:PY(?:THON3?)?|NODE|RUBY|PERL|PHP)(?:_?(?:BIN|CMD|EXE|PATH|EXECUTABLE))?$/i;

/**
 * What a variable's default tells of it: `${VERBOSE:-false}` is a switch, `${GIT:-git}` one git or another,
 * `${PYTHON:-python3}` one Python or another. None where the default is another program: what follows may be git's words
 * all the same.
 */
function presumedPrograms({ ownValueOf, mayBe = [] }: UnknownWord, rest: readonly Word[]): readonly string[] {
  const [only = '', ...others] = mayBe;
  if (ownValueOf === undefined || others.length > 0) {
    return [];
  }
  return rest.length === 0 && /^(?:true|false)$/.test(only)
    ? ['true', 'false']
    : rest.length > 0 && (isGit(knownWord(only)) || (interpreterVariable.test(ownValueOf) && versioned.test(only)))
      ? [only]
      : [];
}
