import { posix } from 'node:path';
import type { Call, ScriptShell } from './call.ts';
import { inGitDirectory, subcommandAt } from './git-words.ts';
import { madeRepository } from './made-repositories.ts';
import { finds, greppedFiles } from './outputs/text-filters.ts';
import { resolvePath } from './path-resolution.ts';
import { either, fails, type Outcome, succeeds } from './shell-state.ts';
import { beginningOf, programName } from './simple-command.ts';

/**
 * How a program ends that has just been reported: whether it does what it is there for, and what its success answers. The
 * directory that git makes is there from now on.
 */
export function endOfProgram(program: string, call: Call, shell: ScriptShell): Outcome {
  const made = program === 'git' ? madeByGit(call, shell) : null;
  if (made !== null && made !== '.') {
    shell.overlay.makeDirectory(made);
  }
  if (made !== null || isExpected(program, call, shell)) {
    call.frame.success.isExpected = true;
  }
  return call.frame.inCondition ? asAnswered(program, call, shell) : either(call.state);
}

/** Does the program do what it is there for, unless the disk is full or the directory is somebody else's? */
function isExpected(program: string, call: Call, shell: ScriptShell): boolean {
  const [first] = call.argv.slice(1);
  const option = first?.kind === 'known' ? first.value : '';
  switch (program) {
    case 'mkdir':
      return /^(?:-\w*p|--parents$)/.test(option) || makesNew(call, shell);
    case 'rm':
      return /^(?:-\w*f|--force$)/.test(option);
    case 'touch':
      return true;
    default:
      return false;
  }
}

/** `mkdir NAME`, where nothing is of that name, and the directory is there in which it is made. */
function makesNew({ argv, state }: Call, { files, overlay }: ScriptShell): boolean {
  return argv.slice(1).every((word) => {
    const path = resolvePath(word, state.cwd);
    return path !== null && files.entry(path) === null && overlay.isDirectory(posix.dirname(path));
  });
}

/**
 * `git init`, `git clone DIRECTORY`, `git worktree add`: what is to be done there comes behind it.
 *
 * @returns the directory, `.` for the one in which it stands; null: none, or it may fail
 */
function madeByGit(call: Call, shell: ScriptShell): string | null {
  const { argv, state } = call;
  const at = subcommandAt(argv);
  switch (beginningOf(argv[at])) {
    case 'init':
    case 'clone':
      return madeRepository({ argv: argv.slice(at), state: inGitDirectory(argv, state) }, shell);
    case 'worktree': {
      const command = shell.steps.at(-1);
      const isOne = command?.kind === 'command' && !shell.overlay.isUnsettled;
      return isOne ? shell.madeBy(command, shell.steps.slice(0, -1)) : null;
    }
    default:
      return null;
  }
}

/** What git and grep answer by their success, where the line goes on by that. */
function asAnswered(program: string, call: Call, shell: ScriptShell): Outcome {
  const answer = program === 'git' ? gitAnswer(call, shell) : /^e?grep$/.test(program) ? grepFinds(call) : null;
  return answer === null ? either(call.state) : answer ? succeeds(call.state) : fails(call.state);
}

function gitAnswer({ state }: Call, shell: ScriptShell): boolean | null {
  const command = shell.steps.at(-1);
  const isOne = command?.kind === 'command' && state.cwd.kind === 'known' && !shell.overlay.isUnsettled;
  return isOne ? shell.successOf(command, shell.steps.slice(0, -1)) : null;
}

/** Whether grep finds anything in its input, where that is known; else null. */
function grepFinds({ argv: [program, ...words], frame }: Call): boolean | null {
  const args = words.map((word) => (word.kind === 'known' ? word.value : null));
  const text = frame.input?.rest() ?? null;
  const given = args.filter((arg) => arg !== null);
  const isOpen = text === null || given.length < args.length || greppedFiles(given).length > 0;
  return isOpen ? null : finds(given, text, programName(program) === 'egrep');
}
