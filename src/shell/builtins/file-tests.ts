import { posix } from 'node:path';
import { listedWords } from '../../listed-words.ts';
import { isDevicePath } from '../device-path.ts';
import { subcommandAt } from '../git-words.ts';
import { resolvePath } from '../path-resolution.ts';
import { readingPrograms } from '../programs/reading-programs.ts';
import type { ScriptFiles } from '../script-files.ts';
import type { ScriptOverlay } from '../script-overlay.ts';
import type { ShellState } from '../shell-state.ts';
import { beginningOf, programName, type Step, type Word } from '../simple-command.ts';

/** What tests of files need of the shell that they are in. */
export interface TestedFiles {
  readonly files: ScriptFiles;
  readonly overlay: ScriptOverlay;
  /** What the line does before the test. */
  readonly steps: readonly Step[];
  /** Through which programs it was found, outermost first. */
  readonly through: readonly string[];
}

/** What runs at once, and once: shells, functions, scripts by their path, and programs that only start another one. */
const immediate =
  /^(?:eval|[\w.:-]+\(\)|source .*|make .*|(?:ba|da|z|k)?sh(?: .*)?|\S*\/\S+|builtin|command|env|exec|nice|sudo|time|timeout)$/;

/** Is everything through which a command was found of that kind? @param through see {@link TestedFiles} */
export function runsAtOnce(through: readonly string[]): boolean {
  return through.every((label) => immediate.test(label));
}

/** `-e`, `-f` and the like of bash's test, where the line has left the file as it is now; null: that is not known. */
export function testFile(operator: string, operand: Word, state: ShellState, host: TestedFiles): boolean | null {
  const path = resolvePath(operand, state.cwd);
  if (path === null || state.cwd.kind !== 'known' || state.cwd.isMounted === true || climbs(operand, state, host)) {
    return null;
  }
  const { files, overlay, through } = host;
  const isInRepository = /\/\.git(?:\/|$)/.test(path);
  const changes = overlay.isUnsettled || !runsAtOnce(through) ? 'files' : changesBy(host.steps);
  if (changes === 'files' || (changes === 'repository' && isInRepository) || overlay.wasWritten(path)) {
    return null;
  }
  const ofLink = operator === '-L' || operator === '-h';
  const found = files.entry(ofLink ? path : files.realPath(path));
  // What is still a link there leads nowhere.
  if (found === null || (found.type === 'link' && !ofLink)) {
    return changes === 'added' || overlay.exists(path) ? null : false;
  }
  if (found.type !== 'directory' && operand.kind === 'known' && operand.value.endsWith('/')) {
    return false;
  }
  switch (operator) {
    case '-e':
    case '-a':
      return true;
    case '-f':
      return found.type === 'file';
    case '-d':
      return found.type === 'directory';
    case '-L':
    case '-h':
      return found.type === 'link';
    case '-s':
      return changes === null && found.type === 'file' ? found.size > 0 : null;
    default:
      return null;
  }
}

/** Tests that fail where there is no file. */
export const fileTests: ReadonlySet<string> = new Set(listedWords('-a -e -f -d -L -h -s -r -w -x'));

/** `..` leads elsewhere where the shell has come through a link. */
function climbs(operand: Word, { cwd }: ShellState, { files }: TestedFiles): boolean {
  const isUp = operand.kind === 'known' && operand.value.split('/').includes('..');
  return isUp && cwd.kind === 'known' && files.realPath(cwd.path) !== posix.resolve(cwd.path);
}

/**
 * What has happened to files: nothing, to git's own at the most, files may have come to be, or anything. What programs
 * say of themselves is not enough: `sort -o`, `awk` and a pager of git write files as well.
 */
type Changes = 'files' | 'added' | 'repository' | null;

const makers = new Set(listedWords('mkdir touch'));
const readingSubcommands = new Set(
  listedWords('cat-file describe for-each-ref ls-files ls-tree merge-base rev-list rev-parse show-ref status'),
);
/** They change what is below `.git`, and run no hook. */
const ownSubcommands = new Set(listedWords('add branch config fetch remote symbolic-ref tag'));

function changesBy(steps: readonly Step[]): Changes {
  let changes: Changes = null;
  for (const step of steps) {
    const more = changesOf(step);
    if (more === 'files') {
      return more;
    }
    changes = more === 'added' || changes === null ? (more ?? changes) : changes;
  }
  return changes;
}

function changesOf(step: Step): Changes {
  if (step.kind === 'write') {
    return step.path.kind === 'known' && isDevicePath(step.path.value) ? null : 'added';
  }
  const program = programName(step.argv[0]);
  if (step.kind !== 'command' || program === null) {
    return 'files';
  }
  if (program === 'git') {
    const subcommand = beginningOf(step.argv[subcommandAt(step.argv)]);
    const reads = readingSubcommands.has(subcommand);
    return reads ? null : ownSubcommands.has(subcommand) ? 'repository' : 'files';
  }
  return readingPrograms.has(program) ? null : makers.has(program) ? 'added' : 'files';
}
