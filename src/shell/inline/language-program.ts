import { type Call, printedAs, type Shell } from '../call.ts';
import { withAssignments } from '../environment.ts';
import { usualPlace } from '../outputs/make-temporary.ts';
import { resolvePath } from '../path-resolution.ts';
import { givenVariables } from '../programs/given-variables.ts';
import { onlyLooks, runKeptTexts } from '../programs/kept-texts.ts';
import { runModule } from '../programs/python-modules.ts';
import type { GivenOption } from '../programs/wrapper-words.ts';
import { doubtful, either, type Outcome } from '../shell-state.ts';
import { beginningOf, knownWord, type UnknownWord } from '../simple-command.ts';
import { readParameter } from '../words/parameter.ts';
import { withoutNeverRun } from './conditions/never-run.ts';
import { withHandedCalls } from './handed-functions.ts';
import { readFileChanges, recordWrittenFiles, runInlineFileChanges, withEditsMade } from './inline-file-changes.ts';
import { resolveImports } from './inline-imports.ts';
import { runInlineProgram } from './inline-program.ts';
import { withItemLoops } from './item-loops.ts';
import { runInlineLibraries } from './libraries/inline-libraries.ts';
import { runInlineRequests } from './libraries/inline-requests.ts';
import { withNamedPlaces } from './named-places.ts';
import { withTemplatesInPlace } from './named-templates.ts';
import { withNewDirectories, withPathsAsTexts } from './new-directories.ts';
import { openProgram } from './open-program.ts';
import { type GivenWords, withArguments } from './program-arguments.ts';
import { type ProgramSource, programSources } from './program-sources.ts';
import { withAdjacentTexts } from './source/adjacent-texts.ts';
import { withDecodedLiterals } from './source/decoded-literals.ts';
import { withMatchesListed } from './source/globs.ts';
import type { Language } from './source/languages.ts';
import { unescaped } from './source/literal.ts';
import type { Places } from './source/places.ts';
import { withSettledTexts, withSingleAssignments } from './source/settled-texts.ts';
import { withValuesCalled } from './values/called-values.ts';

/** Characters; a longer program is somebody's product, and reading it would cost more than a hook has. */
const longestProgram = 65_536;

/** An interpreter's call: the commands of its program, where it came with the command line. */
export function runInterpreter(language: Language, call: Call, shell: Shell): Outcome {
  const module = language.name === 'python' ? runModule(call, shell) : null;
  if (module === null) {
    runProgram(language, withEnvironmentFiles(language, call, shell), shell);
  }
  return module ?? either(call.state);
}

/** node(1), bun(1) "--env-file": variables for the program and what it starts. */
function withEnvironmentFiles({ name }: Language, call: Call, shell: Shell): Call {
  const words = name === 'node' || name === 'bun' ? call.argv.slice(1) : [];
  const given = words.flatMap((word, at): readonly GivenOption[] => {
    const [option, attached] = /^--env-file(?:-if-exists)?(?:=(.+))?$/s.exec(beginningOf(word)) ?? [];
    const value = attached === undefined ? words[at + 1] : knownWord(attached);
    return option === undefined || value === undefined ? [] : [{ name: '--env-file', values: [value] }];
  });
  return given.length === 0
    ? call
    : { ...call, state: withAssignments(call.state, givenVariables({ files: ['--env-file'] }, given, call, shell)) };
}

function runProgram(language: Language, call: Call, shell: Shell): void {
  const printed = call.frame.output === null ? null : printedLiteral(language, call);
  shell.emitCommand(call, printed === null ? undefined : knownWord(printed));
  shell.overlay.mayCreate = true;
  const { sources, modules, writtenModules, given } = programSources(language, call, shell);
  const main = sources.findLastIndex(({ isModule }) => isModule !== true);
  for (const [index, { source, presentAt, writtenAt }] of sources.entries()) {
    const isPresent = presentAt !== null;
    if (source.kind !== 'known') {
      runOpenSource(language, source, call, shell);
    } else if (source.value.length <= longestProgram) {
      // What a program gives to functions of a module of the line is told where both are read at once.
      const own = index === main ? writtenModules : '';
      const loaded = own + (index === sources.length - 1 || own !== '' ? modules : '');
      const placed = isPresent ? { ...call, state: doubtful(call.state) } : call;
      runSource(
        language,
        {
          text: source.value,
          modules: loaded,
          isPresent,
          isAlone: sources.length === 1,
          given,
          file: presentAt ?? writtenAt ?? null,
        },
        placed,
        shell,
      );
    } else if (!isPresent && /git/i.test(source.value)) {
      shell.emitUnreadable(call, 'script', 'the program is too long to be read here');
    }
  }
  // A file that runs may hold a text of an earlier program of the line, unless what it holds is known.
  if (mayRunAnother(sources) && !onlyLooks(call, language.checks)) {
    runKeptTexts(call, shell);
  }
  if (language.name === 'perl' || language.name === 'ruby') {
    forgetEdited(call, shell);
  }
}

const mayRunAnother = (sources: readonly ProgramSource[]): boolean =>
  sources.length === 0 || sources.some(({ presentAt }) => presentAt !== null);

/** `python3 -c 'print("x")'`, `node -p '"x"'`: a program that only prints one text. */
function printedLiteral({ name }: Language, { argv }: Call): string | null {
  const [option, program] = argv.slice(1).map((word) => (word.kind === 'known' ? word.value : ''));
  // perl(1), ruby(1): there `-p` prints each line of the input.
  const evaluates = option === '-p' && (name === 'node' || name === 'bun');
  const printing = evaluates
    ? /^()(["'`])((?:[^"'`\\$]|\\[ntr'"`\\])*)\2;?\s*$/
    : /^(print|console\.log|puts) ?\(?\s*(["'])((?:[^"'\\#$@]|\\[ntr'"\\])*)\2\s*\)?;?\s*$/;
  const isGiven = argv.length === 3 && (evaluates || /^-[ce]$/.test(option ?? ''));
  const [, , quote, text] = isGiven ? (printing.exec(program ?? '') ?? []) : [];
  // Between single quotes, only Python and JavaScript know what else a backslash may stand for.
  const isRead = text?.includes('\\') !== true || quote === '"' || /^(?:python|node|bun|deno)$/.test(name);
  return text === undefined || !isRead ? null : `${unescaped(text)}\n`;
}

/** A program of which a part is not known: as far as that is data. */
function runOpenSource(language: Language, source: UnknownWord, call: Call, shell: Shell): void {
  const shape = openProgram(language, source);
  if (shape === null) {
    shell.emitUnreadable(call, 'script', source.reason, printedAs(source, null));
  } else {
    const source = { text: shape, modules: '', isPresent: false, isAlone: false, given: null, file: null };
    runSource(language, source, call, shell);
  }
}

interface Source {
  readonly text: string;
  /** The text of what it loads from the disk. */
  readonly modules: string;
  /** It lies on the disk, too: nobody is asked about what it does not say in so many words. */
  readonly isPresent: boolean;
  /** No other program of the line runs it, or is loaded by it, that could set its variables. */
  readonly isAlone: boolean;
  readonly given: GivenWords | null;
  /** Where it lies; null: on the line alone. */
  readonly file: string | null;
}

/** What a program does: the processes that it starts, the files that it changes, its requests and uses of libraries. */
function runSource(
  language: Language,
  { text, modules, isPresent, isAlone, given, file }: Source,
  call: Call,
  shell: Shell,
): void {
  const decoded = settled(language, withDecodedLiterals(inOneText(language, text)), given);
  const reached = isAlone
    ? withoutNeverRun(language, decoded, { given: given?.words ?? null, words: wordsOf(call) })
    : decoded;
  const resolved = withValuesCalled(
    language,
    resolveImports(withHandedCalls(language, withItemLoops(language, reached))),
  );
  const places = placesOf(file, call, shell);
  const listed = withMatchesListed(language, resolved, places, call, shell);
  const source = withNewDirectories(language, listed, places, call, shell);
  const started = source === listed ? withNamedPlaces(language, source, places, call, shell) : withPathsAsTexts(source);
  const literalFrom = isPresent ? 0 : started.length;
  const changes = withEditsMade(readFileChanges(language, source, places), call, shell);
  recordWrittenFiles(changes, call, shell);
  runInlineProgram(
    language,
    {
      text: started,
      named: source,
      modules: resolveImports(settled(language, inOneText(language, modules), given)),
      literalFrom,
    },
    call,
    shell,
  );
  runInlineFileChanges(language, changes, call, shell);
  runInlineRequests(language, source, call, shell);
  runInlineLibraries(language, source, call, shell);
}

/**
 * A file of tests as what runs it loads it: the processes that it starts, as far as it says them in so many words. What is
 * put together, and what runs in a directory of its own, is passed over.
 */
export function runTestProgram(language: Language, text: string, call: Call, shell: Shell): void {
  if (text.length > longestProgram) {
    return;
  }
  const loaded = text.replace(/\b__name__\s*==\s*(["'])__main__\1/g, 'False');
  const decoded = settled(language, withDecodedLiterals(inOneText(language, loaded)), null);
  const reached = withoutNeverRun(language, decoded, { given: null, words: null });
  const source = withValuesCalled(
    language,
    resolveImports(withHandedCalls(language, withItemLoops(language, reached))),
  );
  runInlineProgram(
    language,
    { text: source, named: '', modules: '', literalFrom: 0 },
    { ...call, state: doubtful(call.state) },
    shell,
  );
}

/** All words of a call; null where they are not all known, or load a program that may change them. */
function wordsOf({ argv }: Call): readonly string[] | null {
  const words = argv.flatMap((word) => (word.kind === 'known' ? [word.value] : []));
  return words.length < argv.length || words.some((word) => /^(?:-r|--(?:require|import|loader))/.test(word))
    ? null
    : words;
}

function placesOf(file: string | null, call: Call, shell: Shell): Places {
  const home = readParameter('HOME', null, call.state, shell.environment);
  const isKnown = home.kind === 'value' && home.word.kind === 'known';
  return { home: isKnown ? home.word.value : null, temporary: usualPlace(call, shell), file, own: '.' };
}

/** With its texts, and the words that it is given, where its variables get them. */
const settled = (language: Language, text: string, given: GivenWords | null): string =>
  withTemplatesInPlace(
    language,
    withSingleAssignments(language, withArguments(language, withSettledTexts(language, text), given)),
  );

const inOneText = ({ name }: Language, text: string): string => (name === 'python' ? withAdjacentTexts(text) : text);

/** `perl -pi -e …`: what the files hold that it is given is known by their words, and by those of the program. */
function forgetEdited({ argv, state }: Call, { overlay }: Shell): void {
  const words = argv.slice(1).map((word) => (word.kind === 'known' ? word.value : null));
  const isOpen = words.includes(null);
  for (const word of words.some((text) => /^-[a-z\d]*i/.test(text ?? '')) ? words : []) {
    const path = word === null || word.startsWith('-') ? null : resolvePath(knownWord(word), state.cwd);
    if (path !== null && isOpen && overlay.wasWritten(path)) {
      overlay.write(path, null, false);
    } else if (path !== null && overlay.exists(path)) {
      overlay.edit(path, words.join('\n'));
    }
  }
}
