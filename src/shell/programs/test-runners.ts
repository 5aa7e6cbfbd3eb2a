import { posix } from 'node:path';
import type { Call, ProgramReader, Shell } from '../call.ts';
import { runTestProgram } from '../inline/language-program.ts';
import { languageOf } from '../inline/source/languages.ts';
import { resolvePath } from '../path-resolution.ts';
import type { ScriptOverlay } from '../script-overlay.ts';
import { knownWord } from '../simple-command.ts';

/** A program that runs the files of tests that it is given. */
interface TestRunner {
  /** What runs such files itself. */
  readonly interpreter: string;
  readonly files: RegExp;
  /** Options that take the next word. */
  readonly valued: RegExp;
  /** How a file names what starts processes; what else is called so is a helper of other files, and works anywhere. */
  readonly starts: RegExp;
  /** A file beside the tests, or above them, that may say where they work. */
  readonly settings: string | null;
}

const ofPython: TestRunner = {
  interpreter: 'python3',
  files: /\.py$/,
  valued: /^-[ckmnopWr]$|^--(?:rootdir|confcutdir|ignore|deselect|import-mode|basetemp|junit-xml|config-file)$/,
  starts: /\b(?:subprocess|pexpect|asyncio|pty)\b|\bos\s*\.\s*(?:system|popen|exec|spawn|posix_spawn)/,
  settings: 'conftest.py',
};
const ofScripts: TestRunner = {
  interpreter: 'node',
  files: /\.[cm]?[jt]sx?$/,
  valued:
    /^-[crtRf]$|^--(?:config|root|dir|project|reporter|testNamePattern|environment|require|import|setupFiles\w*)$/,
  starts: /child_process|\bexeca\b|cross-spawn|tinyexec|\bzx\b|\bBun\s*\.|\bDeno\s*\./,
  settings: null,
};

/**
 * Tests of what git does work in repositories of their own, and what they start may be a stand-in. Where a file, or what
 * says where its tests work, has a word of such things, no command in it is clearly one that runs in the project.
 */
const worksElsewhere =
  /tmp|(?<!at)temp(?!lat|erat)|chdir|\bcwd\b|mock|monkeypatch|patch\s*\(|stub|\bspy|sinon|sandbox|scratch|fixture\s*\(\s*["']|isolated|testdir|pytester|["'\s]init\b|\binput\s*[:=]|\bclone\b|\binit\(/i;

/** How many directories above a file are looked through for what says where its tests work. */
const maximumDepth = 8;

/** `tests/test_x.py::test_y[1]`: the file. */
const fileOf = (word: string): string => word.replace(/::.*$/s, '');

function namedFiles({ files, valued }: TestRunner, { argv, state }: Call): readonly string[] {
  const words = argv.slice(1).map((word) => (word.kind === 'known' ? word.value : ''));
  return words.flatMap((word, at) => {
    const isValue = valued.test(words[at - 1] ?? '') || word.startsWith('-');
    const file = fileOf(word);
    const path = isValue || !files.test(file) ? null : resolvePath(knownWord(file), state.cwd);
    return path === null ? [] : [path];
  });
}

/** What a file may hold. */
const textsOf = (path: string, overlay: ScriptOverlay): readonly string[] =>
  overlay.texts(path).flatMap((file) => (file.kind === 'text' ? [file.text] : []));

/** What the settings beside a file and above it hold. */
function settingsAround(path: string, name: string, overlay: ScriptOverlay): readonly string[] {
  const texts: string[] = [];
  let directory = posix.dirname(path);
  for (let depth = 0; depth < maximumDepth; depth += 1) {
    texts.push(...textsOf(posix.join(directory, name), overlay));
    if (directory === '/') {
      break;
    }
    directory = posix.dirname(directory);
  }
  return texts;
}

/** `run("git reset --hard", repo)`: in Python a function of that name is the library's only where it is imported from there. */
function withoutHelpers(text: string): string {
  return /\bfrom\s+(?:subprocess|os)\s+import\b/.test(text)
    ? text
    : text.replace(/(?<![\w.$"'`])(?=(?:run|call|system|popen|check_call|check_output|getoutput)\s*\()/g, 'own_');
}

/** `pytest FILE`, `vitest run FILE`: the commands that the tests in it surely run in the project; the call itself is any other. */
function runTests(runner: TestRunner, call: Call, shell: Shell): null {
  const { interpreter, starts, settings } = runner;
  const language = languageOf(interpreter);
  if (language === null) {
    return null;
  }
  for (const path of namedFiles(runner, call)) {
    const texts = textsOf(path, shell.overlay).filter((text) => starts.test(text));
    const around = texts.length === 0 || settings === null ? [] : settingsAround(path, settings, shell.overlay);
    const here = around.some((text) => worksElsewhere.test(text)) ? [] : texts;
    for (const text of here.filter((one) => !worksElsewhere.test(one))) {
      runTestProgram(language, withoutHelpers(text), call, shell);
    }
  }
  return null;
}

const rows: readonly (readonly [string, TestRunner])[] = [
  ...['pytest', 'py.test'].map((name) => [name, ofPython] as const),
  ...['vitest', 'jest', 'mocha', 'ava'].map((name) => [name, ofScripts] as const),
];

/** Rows for the table of carriers. */
export const testRunners: readonly (readonly [string, ProgramReader])[] = rows.map(([name, runner]) => [
  name,
  (call, shell) => runTests(runner, call, shell),
]);
