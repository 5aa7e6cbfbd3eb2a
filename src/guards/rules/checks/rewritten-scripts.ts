import type { Policy } from '../../../config/policy.ts';
import { beginningOf, type SimpleCommand, type Word } from '../../../shell/simple-command.ts';
import { lifecycle } from '../../../shell/tasks/package-scripts.ts';
import { type RunnerFiles, runnerFiles } from '../../../shell/tasks/runner-files.ts';
import type { Finding } from '../../finding.ts';
import { textOf } from '../../git-command/words.ts';
import type { World } from '../../world.ts';
import { unreadable } from '../unreadable-command.ts';

const changing =
  /\bgit\s+(?:-\S+\s+)*(?:push|reset|checkout|switch|restore|clean|stash|branch|commit|rebase|rm|config|update-ref|reflog|gc|worktree|tag|remote)\b/;
/** It puts a text in the place of another one, wherever that stands. */
const substituting = /\bg?sub\b|\breplace(?:All)?\b|(?:^|[\s'"{;(])(?:\d+(?:,[\d$]+)?|%|g\/.*?\/)?s([/|#,!@:]).*?\1/s;

/** Does the program run tasks out of a file of the project? */
export function runsTasks(program: string): boolean {
  return runnerFiles(program) !== null;
}

/** The tasks that a runner is told to run; empty: those that it runs by itself. Null: it runs none. */
function tasksRun(
  program: string,
  words: SimpleCommand['argv'],
  { names, verbs }: RunnerFiles,
): readonly string[] | null {
  const texts = words.map((word) => textOf(word) ?? '');
  if (program === 'node') {
    const at = texts.findIndex((text) => /^--run(?:=|$)/.test(text));
    const name = texts[at]?.replace(/^--run=?/, '') || texts[at + 1];
    return at < 0 || name === undefined ? null : [name];
  }
  const operands = texts.filter((text) => !text.startsWith('-') && !/^\w+=/.test(text));
  const [first, second] = operands;
  if (names.includes('package.json')) {
    const name = first !== undefined && verbs.includes(first) ? second : first;
    return name === undefined ? null : [lifecycle[name] ?? name];
  }
  return first !== undefined && verbs.includes(first) ? operands.slice(1) : operands;
}

/**
 * `jq '.scripts.x = "git push -f"' package.json > p && mv p package.json && npm run x`: tasks that a program of this line
 * has written, of which nothing is known but that the program says such a command, and names the task or replaces texts.
 */
export function judgeRewrittenTasks(
  program: string,
  command: SimpleCommand,
  policy: Policy,
  world: World,
): readonly Finding[] {
  const words = command.argv.slice(1);
  const files = runnerFiles(program);
  const tasks = files === null ? null : tasksRun(program, words, files);
  if (files === null || tasks === null) {
    return [];
  }
  const writers = [...writersOf(files, words, command, world), ...writtenInput(program, words, command, world)];
  const found = writers.find(([, writer]) => {
    const said = writer.replace(/\\[nrt]/g, ' ');
    return changing.test(said) && concerns(said, tasks);
  });
  return found === undefined
    ? []
    : unreadable(policy, {
        source: found[0],
        reason: 'what this line writes to it is not known',
        could: 'scripts that run git',
      });
}

function concerns(writer: string, tasks: readonly string[]): boolean {
  const isNamed = (task: string) =>
    new RegExp(`(?<![\\w-])(?:pre|post)?${task.replace(/\W/g, '\\$&')}(?![\\w-]|:\\w)`).test(writer);
  return tasks.length === 0 || tasks.some(isNamed) || substituting.test(writer);
}

/** What has written the files of tasks that the runner reads, where nothing is known of these. */
function writersOf(
  files: RunnerFiles,
  words: readonly Word[],
  { cwd }: SimpleCommand,
  world: World,
): readonly (readonly [path: string, writer: string])[] {
  const names = words.map(beginningOf);
  return [...world.writtenTexts].flatMap(([path, text]) => {
    const cut = path.lastIndexOf('/') + 1;
    const name = path.slice(cut);
    const isTasks =
      files.names.some((one) => path.endsWith(`/${one}`)) ||
      files.endings.some((ending) => name.endsWith(ending)) ||
      names.some((word) => word.endsWith(name));
    const isNear =
      cwd.kind === 'unknown' || `${cwd.path}/`.startsWith(path.slice(0, cut)) || path.startsWith(`${cwd.path}/`);
    return text === null && isTasks && isNear ? [[path, world.writers.of(path)] as const] : [];
  });
}

/** `… | make -f -`: what prints the tasks. */
function writtenInput(
  program: string,
  words: readonly Word[],
  { argv, cwd, input, ...command }: SimpleCommand,
  world: World,
): readonly (readonly [source: string, writer: string])[] {
  const readsInput = words.some((word) => /^(?:-\w*f|--(?:make)?file=|--justfile=?)?-$/.test(beginningOf(word)));
  return !readsInput || input?.kind !== 'unknown'
    ? []
    : [[`${program} -f -`, [...world.writers.wordsOf({ ...command, argv: argv.slice(0, 1), cwd, input })].join(' ')]];
}
