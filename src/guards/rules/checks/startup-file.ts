import { relative } from 'node:path';
import { quoteWord } from '../../../quote.ts';
import { readCommandLine } from '../../../shell/command-line.ts';
import { cronCommands } from '../../../shell/programs/scheduled-jobs.ts';
import type { Directory } from '../../../shell/simple-command.ts';
import { workTreeAbove } from '../../files/guarded-file.ts';
import { type Finding, findings, strongest } from '../../finding.ts';
import type { JudgeSteps } from '../../git-call.ts';
import type { World } from '../../world.ts';
import { filesAfter } from '../../written-files.ts';

/** A kind of file that programs run later: where it lies, and what of it a shell would read. */
interface LastingFile {
  /** Relative to the home directory, or anywhere. */
  readonly path: RegExp;
  readonly isAnywhere?: true;
  readonly script: (content: string) => string;
  /** Who reads it: `Every shell that starts`. */
  readonly reader: string;
}

const whole = (content: string) => content;
/** The values of lines such as `ExecStart=-/usr/bin/git push`. */
const valuesOf = (key: RegExp) => (content: string) =>
  Array.from(content.matchAll(key), ([, value = '']) => value.replace(/^[-@:+!]+/, '')).join('\n');

/** The variables that an agent's settings have for its commands: `{"env": {"NAME": "value"}}`. */
function environmentOf(content: string): string {
  try {
    const { env } = JSON.parse(content) as { readonly env?: Readonly<Record<string, unknown>> };
    return Object.entries(env ?? {})
      .filter(([name]) => /^\w+$/.test(name))
      .map(([name, value]) => `export ${name}=${quoteWord(String(value))}`)
      .join('\n');
  } catch {
    return '';
  }
}

const npmPrograms = valuesOf(/^\s*(?:script-shell|git|editor|viewer)\s*=\s*(.+)$/gm);

function npmCommands(content: string): string {
  const skips = /^\s*commit-hooks\s*=\s*false\s*$/m.test(content) ? 'npm version patch --no-commit-hooks\n' : '';
  return skips + npmPrograms(content);
}

const lastingFiles: readonly LastingFile[] = [
  {
    // bash(1) "INVOCATION", zsh(1) "STARTUP/SHUTDOWN FILES", fish(1)
    path: /^(?:\.bash(?:rc|_profile|_login|_aliases|_logout)|\.profile|\.z(?:shrc|shenv|profile|login)|\.kshrc|\.config\/fish\/config\.fish)$/,
    script: whole,
    reader: 'Every shell that starts',
  },
  // husky's documentation "Startup files": read before each hook, by the shell that looks at HUSKY afterwards.
  {
    path: /^(?:\.config\/husky\/init\.sh|\.huskyrc)$/,
    script: (content) => `set -a\n${content}\ntrue`,
    reader: 'Every hook of husky',
  },
  { path: /(?:^|\/)\.envrc$/, isAnywhere: true, script: whole, reader: 'Every shell that comes by under direnv' },
  // npm's config(7): the programs that it starts.
  {
    path: /(?:^|\/)\.npmrc$/,
    isAnywhere: true,
    script: npmCommands,
    reader: 'npm',
  },
  {
    path: /\/systemd\/(?:user|system)\/[^/]+\.service$/,
    isAnywhere: true,
    script: valuesOf(/^\s*Exec\w+\s*=\s*(.+)$/gm),
    reader: 'systemd',
  },
  {
    path: /(?:^|\/)\.(?:claude|qwen)\/settings(?:\.local)?\.json$/,
    isAnywhere: true,
    script: environmentOf,
    reader: 'Every command of the agent',
  },
  { path: /^\/(?:etc\/cron|var\/spool\/cron)/, isAnywhere: true, script: cronCommands, reader: 'cron' },
];

interface Surroundings {
  readonly world: World;
  readonly cwd: Directory;
  readonly judgeSteps: JudgeSteps;
}

/**
 * What every later shell would do first: run something that is stopped, or make another program of `git`, or set what
 * switches checks off.
 *
 * @param path absolute
 * @param content null where it is not known: installers write there every day
 */
export async function judgeStartupFile(
  path: string,
  content: string | null,
  { world, cwd, judgeSteps }: Surroundings,
): Promise<readonly Finding[]> {
  const home = world.env.HOME;
  const name = home === undefined ? '' : relative(home, path);
  const file = lastingFiles.find(({ path: pattern, isAnywhere }) => pattern.test(isAnywhere ? path : name));
  if (content === null || file === undefined) {
    return [];
  }
  const script = file.script(content);
  const source = script === '' ? '' : `shopt -s expand_aliases\n${script}\ngit commit`;
  const { steps } = readCommandLine(source, {
    // It is read wherever a shell starts: what it does counts in a repository.
    cwd: cwd.kind === 'known' && workTreeAbove(cwd.path) !== null ? cwd.path : world.start,
    env: world.env,
    files: filesAfter(world.writtenTexts),
  });
  const stopped = (await world.trees.apart(() => judgeSteps(steps))).filter(({ verdict }) => verdict !== 'allow');
  const [worst] = stopped.filter(({ verdict }) => verdict === strongest(stopped));
  const { policy } = await world.conventionAt(cwd);
  return findings(
    'delayed-execution',
    policy,
    worst === undefined
      ? null
      : {
          message: `${file.reader} would read this from ${path}. ${worst.message}`,
          evidence: { files: [path] },
          suggestion: 'Leave it out, or ask the person whose file it is to write it.',
        },
  );
}
