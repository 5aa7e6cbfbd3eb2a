import { listedWords } from '../../listed-words.ts';
import type { Call, Shell } from '../call.ts';
import { inGitDirectory, subcommandAt } from '../git-words.ts';
import { knownOutput } from '../outputs/known-output.ts';
import { edited, readSed } from '../outputs/sed.ts';
import { taking } from '../path.ts';
import { resolvePath } from '../path-resolution.ts';
import { machineCode } from '../script-files.ts';
import { either, type Outcome, type ShellState } from '../shell-state.ts';
import { beginningOf, knownWord, programName, type Word } from '../simple-command.ts';
import { compilers } from './compilers.ts';
import { followCopy, isFollowedCopy } from './file-copies.ts';
import { hasOwnOptions, outputsByOption } from './output-options.ts';
import { followPatch } from './patch-program.ts';

/** Programs that read or print and write no file that a later command could run. */
const readers = new Set(
  listedWords(`[ : awk basename cat cd cmp column comm cut date df diff dirname du echo egrep env false fd fgrep file grep head hostname id jq less ls
  md5sum more nl nproc od paste pgrep printenv printf ps pwd readlink realpath rev rg seq sha256sum shellcheck sleep sort stat
  tac tail test tr tree true type uname uniq wc which who whoami xxd chmod chown`),
);

/** Subcommands of git that make no file in a work tree and run no hook that could. */
const readingSubcommands = new Set(
  listedWords(`add blame branch cat-file config describe diff fetch for-each-ref grep log ls-files ls-tree merge-base
  remote rev-list rev-parse rm shortlog show status symbolic-ref tag`),
);

/** Others of git, by which files come into a work tree, or become others there. */
const bringingSubcommands = new Set(
  listedWords('checkout switch restore reset merge fetch pull rebase cherry-pick revert stash'),
);

/** Programs that make no file but those that they are given; what these hold is followed. */
const makers = new Set(listedWords('dos2unix mkdir rm rmdir shfmt tee touch unix2dos'));
const copiers = new Set(listedWords('cp mv install ln'));

/** Could running the program make a file that was not there before, and that is not followed? */
export function changesFiles(program: string, argv: readonly Word[]): boolean {
  const isReading = program === 'git' && readingSubcommands.has(beginningOf(argv[subcommandAt(argv)]));
  return !isReading && !readers.has(program) && !isFollowed(program, argv);
}

function isFollowed(program: string, argv: readonly Word[]): boolean {
  const words = argv.slice(1).flatMap((word) => (word.kind === 'known' ? [word.value] : []));
  if (words.length < argv.length - 1) {
    return false;
  }
  if (program === 'sed' || program === 'gsed') {
    const script = readSed(words)?.script;
    // `w` and `s///w` write other files.
    return script !== undefined && !script.includes('w');
  }
  if (program === 'git') {
    const moved = wordsOfMove(argv);
    return moved !== null && isFollowedCopy(moved);
  }
  return copiers.has(program) ? isFollowedCopy(argv) : makers.has(program);
}

/** Reports a program as a step, with what it prints and what files hold after it, as far as that is known. */
export function emitProgram(program: string, call: Call, shell: Shell): void {
  const output = call.frame.output === null ? undefined : knownOutput(program, call, shell);
  const paths = readers.has(program) ? recordOutputs(program, call, shell) : recordFileChanges(program, call, shell);
  shell.emitCommand(call, output, paths.length === 0 ? null : textsAt(paths, shell));
}

/** The program itself, besides what it runs. */
export function runAsProgram(program: string, call: Call, shell: Shell): Outcome {
  emitProgram(program, call, shell);
  shell.overlay.mayCreate ||= changesFiles(program, call.argv);
  return either(call.state);
}

/** `sort -o FILE`: what a program that else only reads is told to write. */
function recordOutputs(program: string, { argv, state }: Call, shell: Shell): readonly string[] {
  for (const output of hasOwnOptions(program) ? outputsByOption(program, argv.slice(1)) : []) {
    forget(output, state, shell);
  }
  return [];
}

/** What is known of what files hold; null: nothing. */
function textsAt(paths: readonly string[], shell: Shell): ReadonlyMap<string, string> | null {
  const texts = paths.flatMap((path): [string, string][] => {
    const text = shell.overlay.text(path);
    return text === null ? [] : [[path, text]];
  });
  return texts.length === 0 ? null : new Map(texts);
}

/**
 * Follows what `cp`, `mv`, `tee` and the like do to files, so that a script that runs later is read as it will be.
 *
 * @returns absolute paths of files whose texts may be known now
 */
function recordFileChanges(program: string, call: Call, shell: Shell): readonly string[] {
  if (program === 'git') {
    if (bringingSubcommands.has(beginningOf(call.argv[subcommandAt(call.argv)]))) {
      const { argv, state, frame } = call;
      shell.overlay.bring({ argv, cwd: state.cwd }, taking(state.path, frame.success, true));
    }
    const at = subcommandAt(call.argv);
    if (/^(?:apply|am)$/.test(beginningOf(call.argv[at]))) {
      const there = { ...call, state: inGitDirectory(call.argv, call.state) };
      return followPatch('git apply', call.argv.slice(at + 1), there, shell);
    }
    const moved = wordsOfMove(call.argv);
    return moved === null
      ? []
      : followCopy('mv', { ...call, argv: moved, state: inGitDirectory(call.argv, call.state) }, shell);
  }
  const { state } = call;
  const operands = call.argv.slice(1).filter((word) => !(word.kind === 'known' && word.value.startsWith('-')));
  switch (program) {
    case 'cp':
    case 'mv':
    case 'install':
    case 'ln':
      return followCopy(program, call, shell);
    case 'tee':
    case 'sponge': {
      const append = call.argv.some((word) => word.kind === 'known' && word.value === '-a');
      const text = call.frame.input?.word() ?? null;
      return operands.flatMap((operand) => write(operand, text, append, state, shell));
    }
    case 'sed':
    case 'gsed':
      return editInPlace(call, operands, shell);
    case 'dos2unix':
    case 'unix2dos':
    case 'shfmt':
      // Line ends and blanks are not what a script does.
      return [];
    case 'patch':
      return followPatch('patch', call.argv.slice(1), call, shell);
    case 'dd':
      return copyBlocks(call, shell);
    case 'touch':
      return operands.flatMap((operand) => touch(operand, call, shell));
    case 'mkdir':
      for (const operand of operands) {
        const path = resolvePath(operand, state.cwd);
        if (path !== null) {
          shell.overlay.makeDirectory(path);
        }
      }
      return [];
    case 'rm':
      for (const operand of operands) {
        removeOrForget(operand, call, shell);
      }
      return [];
    case 'wget':
    case 'curl':
      download(program, call.argv, operands, state, shell);
      return [];
    default:
      if (compilers.test(program)) {
        compile(call, shell);
        return [];
      }
      for (const operand of [...operands, ...outputsByOption(program, call.argv.slice(1))]) {
        forget(operand, state, shell);
      }
      return [];
  }
}

/** `go build -o bin/app ./cmd/app`: a program for the machine, which no shell reads. */
function compile({ argv, state }: Call, shell: Shell): void {
  for (const output of outputsByOption(programName(argv[0]) ?? '', argv.slice(1))) {
    const path = resolvePath(output, state.cwd);
    if (path !== null) {
      shell.overlay.write(path, knownWord(machineCode), false);
    }
  }
}

/** `sed -i SCRIPT FILE…` */
function editInPlace({ argv, state }: Call, operands: readonly Word[], shell: Shell): readonly string[] {
  const words = argv.slice(1).flatMap((word) => (word.kind === 'known' ? [word.value] : []));
  const read = words.length === argv.length - 1 ? readSed(words) : null;
  if (read === null) {
    for (const operand of operands) {
      forget(operand, state, shell);
    }
    return [];
  }
  return (read.inPlace ? read.files : []).flatMap((file) => {
    const path = resolvePath(knownWord(file), state.cwd);
    const text = path === null ? null : shell.overlay.text(path);
    const after = text === null ? null : edited(read, text);
    if (path !== null && after === null) {
      shell.overlay.edit(path, read.script);
      return [];
    }
    return write(knownWord(file), after === null ? null : knownWord(after), false, state, shell);
  });
}

/** Operands of dd(1) with which it copies all that it reads, as it is. */
const copiesAll =
  /^(?:(?:if|of|bs|ibs|obs|status)=.*|oflag=(?:append|dsync|sync)|conv=(?:notrunc|fsync|fdatasync)(?:,(?:notrunc|fsync|fdatasync))*)$/;

/** `dd of=FILE`: what it reads, in the place of what was there, or behind it (dd(1)). */
function copyBlocks({ argv, state, frame }: Call, shell: Shell): readonly string[] {
  const words = argv.slice(1).map(beginningOf);
  const [from, to] = ['if=', 'of='].map((option) =>
    words.find((word) => word.startsWith(option))?.slice(option.length),
  );
  const source = from === undefined ? null : resolvePath(knownWord(from), state.cwd);
  const isWhole = words.every((word) => copiesAll.test(word));
  const read = from === undefined ? (frame.input?.word() ?? null) : source === null ? null : shell.overlay.word(source);
  const appends = words.some((word) => /^oflag=(?:.*,)?append\b/.test(word));
  const isKept = words.some((word) => /^conv=(?:.*,)?notrunc\b/.test(word));
  const text = isWhole && appends === isKept ? read : null;
  return to === undefined ? [] : write(knownWord(to), text, appends && isKept, state, shell);
}

/** `rm -r DIRECTORY`: nothing is there, whether something was or not. */
function removeOrForget(operand: Word, { argv, state }: Call, shell: Shell): void {
  const path = resolvePath(operand, state.cwd);
  const isWhole = argv.some((word) => word.kind === 'known' && /^(?:-[a-z]*r|--recursive$)/i.test(word.value));
  if (path !== null && isWhole && (shell.overlay.isDirectory(path) || !shell.overlay.exists(path))) {
    shell.overlay.removeTree(path);
  } else {
    forget(operand, state, shell);
  }
}

/** A file that is not there is made, and holds nothing. */
function touch(operand: Word, { state }: Call, shell: Shell): readonly string[] {
  const path = resolvePath(operand, state.cwd);
  return path === null || shell.overlay.exists(path) ? [] : write(operand, knownWord(''), false, state, shell);
}

/** `git mv`, as the `mv` that it is for the files: git-mv(1). Null for other calls of git, and where it only shows. */
function wordsOfMove(argv: readonly Word[]): readonly Word[] | null {
  const at = subcommandAt(argv);
  const words = argv.slice(at + 1);
  const onlyShows = words.some((word) => /^(?:-[a-z]*n[a-z]*|--dry-run)$/.test(beginningOf(word)));
  return beginningOf(argv[at]) === 'mv' && !onlyShows ? [knownWord('mv'), ...words] : null;
}

/** `wget URL` and `curl -O URL` make a file of the URL's last name; `-o FILE` and `-O FILE` name it themselves. */
function download(
  program: string,
  argv: readonly Word[],
  operands: readonly Word[],
  state: ShellState,
  shell: Shell,
): void {
  for (const output of outputsByOption(program, argv.slice(1))) {
    forget(output, state, shell);
  }
  const isNamedByUrl =
    program === 'wget' || argv.some((word) => word.kind === 'known' && /^-[a-zA-Z]*O|^--remote-name/.test(word.value));
  for (const operand of operands) {
    const name = operand.kind === 'known' ? /^\w+:\/\/[^?#]*\/([^/?#]+)/.exec(operand.value)?.[1] : undefined;
    if (name === undefined) {
      forget(operand, state, shell);
    } else if (isNamedByUrl) {
      write(knownWord(name), null, false, state, shell);
    }
  }
}

/** `python -m venv`, `virtualenv`, `uv venv`: their activation scripts only set up the environment. */
export function makeVirtualEnvironment(directory: Word, state: ShellState, shell: Shell): void {
  const path = resolvePath(directory, state.cwd);
  if (path !== null) {
    shell.overlay.write(`${path}/bin/activate`, knownWord(''), false);
  }
}

function write(target: Word, text: Word | null, append: boolean, state: ShellState, shell: Shell): readonly string[] {
  const path = resolvePath(target, state.cwd);
  if (path === null) {
    return [];
  }
  shell.overlay.write(path, text, append);
  return [path];
}

/** A program that is given a file may change it (`sed -i`, `curl -o`): what it holds is not known any more. */
function forget(operand: Word, state: ShellState, shell: Shell): void {
  const path = resolvePath(operand, state.cwd);
  const isFile = /[./]/.test(operand.kind === 'known' ? operand.value : '');
  if (path !== null && (isFile || shell.overlay.wasWritten(path))) {
    shell.overlay.write(path, null, false);
  }
}
