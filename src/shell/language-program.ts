import type { Call, Shell } from './call.ts';
import { runInlineFileChanges } from './inline-file-changes.ts';
import { resolveImports } from './inline-imports.ts';
import { runInlineLibraries } from './inline-libraries.ts';
import { runInlineProgram } from './inline-program.ts';
import { runInlineRequests } from './inline-requests.ts';
import type { Language } from './languages.ts';
import { openProgram } from './open-program.ts';
import { resolvePath } from './path-resolution.ts';
import { programSources } from './program-sources.ts';
import { runModule } from './python-modules.ts';
import { doubtful, either, type Outcome } from './shell-state.ts';
import { beginningOf, knownWord, type Word } from './simple-command.ts';

/** Characters; a longer program is somebody's product, and reading it would cost more than a hook has. */
const longestProgram = 65_536;

/** An interpreter's call: the commands of its program, where it came with the command line. */
export function runInterpreter(language: Language, call: Call, shell: Shell): Outcome {
  const module = language.name === 'python' ? runModule(call, shell) : null;
  if (module !== null) {
    return module;
  }
  shell.emitCommand(call);
  shell.overlay.mayCreate = true;
  const started = withoutVerb(language, call);
  runPresentProgram(language, started, shell);
  for (const source of programSources(language, started, shell)) {
    if (source.kind === 'known' && source.value.length > longestProgram) {
      if (/git/i.test(source.value)) {
        shell.emitUnreadable(call, 'script', 'the program is too long to be read here');
      }
    } else if (source.kind === 'known') {
      runSource(language, source.value, call, shell);
    } else {
      const shape = openProgram(language, source);
      if (shape === null) {
        shell.emitUnreadable(call, 'script', source.reason);
      } else {
        runSource(language, shape, call, shell);
      }
    }
  }
  if (language.name === 'perl' || language.name === 'ruby') {
    forgetEdited(call, shell);
  }
  return either(call.state);
}

/** `deno run FILE` starts what `deno FILE` does. */
function withoutVerb({ verbs }: Language, call: Call): Call {
  const [program, verb, ...rest] = call.argv;
  return program !== undefined && verbs?.test(beginningOf(verb)) === true
    ? { ...call, argv: [program, ...rest] }
    : call;
}

/** What a program does: the processes that it starts, the files that it changes, its requests and uses of libraries. */
function runSource(language: Language, text: string, call: Call, shell: Shell, literalOnly = false): void {
  const source = resolveImports(text);
  runInlineProgram(language, source, call, shell, literalOnly);
  runInlineFileChanges(language, source, call, shell);
  runInlineRequests(language, source, call, shell);
  runInlineLibraries(language, source, call, shell);
}

/** `perl -pi -e …`: what the files hold that it is given is not known any more. */
function forgetEdited({ argv, state }: Call, { overlay }: Shell): void {
  const words = argv.slice(1).map((word) => (word.kind === 'known' ? word.value : ''));
  for (const word of words.some((text) => /^-[a-z0]*i/.test(text)) ? words : []) {
    const path = word.startsWith('-') ? null : resolvePath(knownWord(word), state.cwd);
    if (path !== null && overlay.wasWritten(path)) {
      overlay.write(path, null, false, true);
    }
  }
}

/**
 * A program that lies on the disk, `python3 release.py`: only what it says in so many words counts. Nobody is asked
 * about the rest of a program that was there before.
 */
function runPresentProgram(language: Language, call: Call, shell: Shell): void {
  const script = scriptOperand(language, call);
  const path = script === null ? null : resolvePath(script, call.state.cwd);
  const text = path === null || shell.overlay.wasWritten(path) ? null : shell.overlay.text(path);
  if (text !== null && text.length <= longestProgram) {
    runSource(language, text, { ...call, state: doubtful(call.state) }, shell, true);
  }
}

/** The file that an interpreter is to run: its first operand, where no option brings the program. */
function scriptOperand(language: Language, call: Call): Word | null {
  const words = call.argv.slice(1);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    const text = beginningOf(word);
    if (language.inline.test(text) || language.checks?.test(text) === true || text === '-') {
      return null;
    }
    if (language.valued.test(text)) {
      index += 1;
    } else if (!text.startsWith('-')) {
      return word ?? null;
    }
  }
  return null;
}
