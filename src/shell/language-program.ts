import type { Call, Shell } from './call.ts';
import { runInlineFileChanges } from './inline-file-changes.ts';
import { resolveImports } from './inline-imports.ts';
import { runInlineLibraries } from './inline-libraries.ts';
import { runInlineProgram } from './inline-program.ts';
import { runInlineRequests } from './inline-requests.ts';
import type { Language } from './languages.ts';
import { resolvePath } from './path-resolution.ts';
import { programSources } from './program-sources.ts';
import { runModule } from './python-modules.ts';
import { doubtful, either, type Outcome } from './shell-state.ts';
import { knownWord, type Word } from './simple-command.ts';

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
  runPresentProgram(language, call, shell);
  for (const source of programSources(language, call, shell)) {
    if (source.kind === 'known' && source.value.length > longestProgram) {
      if (/git/i.test(source.value)) {
        shell.emitUnreadable(call, 'script', 'the program is too long to be read here');
      }
    } else if (source.kind === 'known') {
      const text = resolveImports(source.value);
      runInlineProgram(language, text, call, shell);
      runInlineFileChanges(language, text, call, shell);
      runInlineRequests(language, text, call, shell);
      runInlineLibraries(language, text, call, shell);
    } else {
      shell.emitUnreadable(call, 'script', source.reason);
    }
  }
  if (language.name === 'perl' || language.name === 'ruby') {
    forgetEdited(call, shell);
  }
  return either(call.state);
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
    const source = resolveImports(text);
    const present = { ...call, state: doubtful(call.state) };
    runInlineProgram(language, source, present, shell, true);
    runInlineFileChanges(language, source, present, shell);
    runInlineRequests(language, source, present, shell);
    runInlineLibraries(language, source, present, shell);
  }
}

/** The file that an interpreter is to run: its first operand, where no option brings the program. */
function scriptOperand(language: Language, call: Call): Word | null {
  const words = call.argv.slice(1);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    const text = word?.kind === 'known' ? word.value : (word?.prefix ?? '');
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
