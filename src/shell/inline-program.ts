import { type Call, type Shell, through } from './call.ts';
import { withAssignments } from './environment.ts';
import { runInlineFileChanges } from './inline-file-changes.ts';
import { InlineFunctions } from './inline-functions.ts';
import { resolveImports } from './inline-imports.ts';
import { runInlineLibraries } from './inline-libraries.ts';
import { runInlineRequests } from './inline-requests.ts';
import type { Language } from './languages.ts';
import { runOpenCommand } from './open-command.ts';
import { resolvePath } from './path-resolution.ts';
import { programSources } from './program-sources.ts';
import { runModule } from './python-modules.ts';
import { doubtful, either, type Outcome } from './shell-state.ts';
import { knownWord, type Word } from './simple-command.ts';
import { readLiteral, type SourceLiteral } from './source-literal.ts';

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
    if (source.kind === 'known') {
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
  if (text !== null) {
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

interface Found {
  readonly position: number;
  /** Where its arguments begin; null where it has none. */
  readonly argumentsAt: number | null;
  /** A script for the shell, the words of one program, or null where it is not literal. */
  readonly command: string | readonly string[] | null;
  readonly cwd: string | null | undefined;
}

/**
 * Finds the processes an inline program starts, and runs those whose words are literal.
 *
 * @param literalOnly passes over what is not: other words, and directories that the program chooses
 */
function runInlineProgram(language: Language, source: string, call: Call, shell: Shell, literalOnly = false): void {
  if (language.needs?.test(source) === false) {
    return;
  }
  const found = [...findCalls(language, source), ...findQuoted(language, source)].sort(
    (a, b) => a.position - b.position,
  );
  const functions = new InlineFunctions(language, source);
  const settings = found.length === 0 ? noSettings : environmentSettings(source);
  let warned = false;
  for (const { command, cwd, position, argumentsAt } of found) {
    const directory = cwd === undefined ? lastDirectoryChange(source, position) : cwd;
    if (literalOnly && (command === null || directory === null)) {
      continue;
    }
    const placed = inlineCall(call, language, directory);
    const inner = { ...placed, state: withAssignments(placed.state, settings) };
    const isOpen = command === null && argumentsAt !== null && mentionsGit(source, call);
    const open = isOpen ? functions.commandsAt(argumentsAt) : null;
    if (open !== null) {
      for (const one of open) {
        runOpenCommand(one, inner, shell);
      }
    } else if (typeof command === 'string') {
      shell.runProcess(inner, command, {
        label: 'sh -c',
        name: knownWord('sh'),
        positional: [],
        input: null,
      });
    } else if (command !== null) {
      shell.run({ ...inner, argv: command.map(knownWord), lookup: 'programs' });
    } else if (!warned && mentionsGit(source, call)) {
      warned = true;
      shell.emitUnreadable(
        call,
        'script',
        `the ${language.name} program starts a process with words that are not literal`,
      );
    }
  }
}

function inlineCall(call: Call, language: Language, directory: string | null | undefined): Call {
  const frame = { ...through(call.frame, `${language.name} program`), input: null, output: null };
  if (directory === undefined) {
    return { ...call, frame };
  }
  const { state } = call;
  const path = directory?.startsWith('/')
    ? directory
    : directory !== null && state.cwd.kind === 'known'
      ? `${state.cwd.path}/${directory}`
      : null;
  const cwd =
    path === null
      ? ({ kind: 'unknown', reason: 'the program chooses its directory' } as const)
      : ({ kind: 'known', path } as const);
  return { ...call, frame, state: { ...state, cwd } };
}

/** Only what could be about git is worth a question: the words may also come from the arguments, the input and variables. */
function mentionsGit(source: string, { argv, state, frame }: Call): boolean {
  const variables = [...state.variables].flatMap(([name, variable]) =>
    variable.kind === 'scalar' && variable.exported && source.includes(name) ? [variable.value] : [],
  );
  const texts = [...argv, ...variables].map((word) => (word.kind === 'known' ? word.value : word.source));
  const input = /stdin|STDIN|<>|\bgets\b|\binput\b|readline|\$_\b|fd\s*0|readFileSync\(0/.test(source)
    ? (frame.input?.rest() ?? '')
    : '';
  return [source, input, ...texts].some((text) => /git/i.test(text));
}

const noSettings: ReadonlyMap<string, Word> = new Map();

/** Variables that a program sets for what it starts: `os.environ['X'] = '1'`, `process.env.X = 1`, `env: { X: 1 }`. */
function environmentSettings(source: string): ReadonlyMap<string, Word> {
  if (!/env/i.test(source)) {
    return noSettings;
  }
  const single = source.matchAll(
    /\b(?:environ|process\.env|ENV)\s*(?:\[\s*["'](\w+)["']\s*\]|\.(\w+))\s*=(?!=)\s*["']?([\w./-]*)/g,
  );
  const several = Array.from(source.matchAll(/\benv\s*[:=]\s*(?:dict\s*\()?\{?([^{}()]*)[})]/g), ([, body = '']) => [
    ...body.matchAll(/["']?\b([A-Z][A-Z0-9_]*)["']?\s*[:=]\s*["']?([\w./-]*)/g),
  ]).flat();
  return new Map([
    ...Array.from(single, ([, listed, member, value = '']) => [listed ?? member ?? '', knownWord(value)] as const),
    ...several.map(([, name = '', value = '']) => [name, knownWord(value)] as const),
  ]);
}

function lastDirectoryChange(source: string, position: number): string | null | undefined {
  const changes = [...source.slice(0, position).matchAll(/\bchdir\s*\(?\s*(?:(['"])(.*?)\1)?/g)];
  const last = changes.at(-1);
  return last === undefined ? undefined : (last[2] ?? null);
}

function findCalls(language: Language, source: string): Found[] {
  return Array.from(source.matchAll(language.calls), (match) => {
    const start = match.index + match[0].length;
    const first = readLiteral(source, start, language.interpolation);
    return {
      position: match.index,
      argumentsAt: start,
      command: first === null ? null : literalCommand(language, source, match[0], first),
      cwd: directoryOption(source.slice(start, start + 2000)),
    };
  });
}

function directoryOption(rest: string): string | null | undefined {
  const [whole, , path] = /^[^;\n]*?\b(?:cwd|chdir)\s*(?:=>|[=:])\s*(?:(['"])(.*?)\1)?/.exec(rest) ?? [];
  return whole === undefined ? undefined : (path ?? null);
}

function literalCommand(
  language: Language,
  source: string,
  caller: string,
  first: SourceLiteral,
): string | readonly string[] | null {
  if (first.kind === 'list') {
    const isExtended = /^\s*(?:[+*%]|\.\s*(?:concat|append|extend|push)\b)/.test(
      source.slice(first.end, first.end + 40),
    );
    return isExtended ? null : complete(first.values);
  }
  if (first.value === null) {
    return null;
  }
  const after = /^\s*(\.split\(\s*(?:['"]\s+['"])?\s*\))?\s*(\)|,|;|$|\n|\]|or\b|and\b|if\b|\|\|)/.exec(
    source.slice(first.end),
  );
  if (after === null) {
    return null;
  }
  const more = after[2] === ',' ? followingWords(source, first.end + after[0].length, { language, caller }) : [];
  if (more === null) {
    return null;
  }
  if (/exec[lv]|spawn[lv]/.test(caller)) {
    return [first.value, ...more.slice(1)];
  }
  // Perl's `open F, "command |"` marks the pipe in the text itself.
  const command = caller.startsWith('open') ? first.value.replace(/^\s*\||\|\s*$/g, '') : first.value;
  return more.length === 0 ? command : [command, ...more];
}

/** The words after the program: a list (`spawn('git', ['push'])`) or further strings (`system("git", "push")`). */
function followingWords(
  source: string,
  start: number,
  context: { readonly language: Language; readonly caller: string },
): readonly string[] | null {
  const { language, caller } = context;
  const args = /^\s*(?:\{\s*args\s*:)?\s*/.exec(source.slice(start))?.[0].length ?? 0;
  const next = readLiteral(source, start + args, language.interpolation);
  if (next === null) {
    return mayBeWords(source.slice(start, start + 200), caller) ? null : [];
  }
  if (next.kind === 'list') {
    return complete(next.values);
  }
  if (next.value === null) {
    return null;
  }
  const comma = /^\s*,/.exec(source.slice(next.end));
  const more = comma === null ? [] : followingWords(source, next.end + comma[0].length, context);
  return more === null ? null : [next.value, ...more];
}

/** `execFileSync('git', args)`, `system("git", *args)`, and not options: `execSync(command, options)`, `run(x, check=True)`. */
function mayBeWords(rest: string, caller: string): boolean {
  const takesScript =
    /\b(?:exec|execSync|execaCommand(?:Sync)?|shell_exec|passthru|run|call|check_\w+|Popen)\s*\($/.test(caller);
  return (
    /^\s*(?:\.\.\.|[*@]\w)/.test(rest) ||
    (!takesScript &&
      /^\s*(?!\w*(?:[oO]pt(?:ion)?s?|env|config)\b|true|false|null|undefined|function|async)\$?[A-Za-z_][\w.]*\s*[,)]/.test(
        rest,
      ))
  );
}

function complete(values: readonly (string | null)[]): readonly string[] | null {
  const known = values.filter((value) => value !== null);
  return known.length === values.length && known.length > 0 ? known : null;
}

function findQuoted(language: Language, source: string): Found[] {
  return language.quoted === null
    ? []
    : Array.from(source.matchAll(language.quoted), (match) => {
        const command = match[1] ?? '';
        return {
          position: match.index,
          argumentsAt: null,
          command: language.interpolation.test(command) ? null : command,
          cwd: undefined,
        };
      });
}
