import { relative } from 'node:path';
import { readCommandLine } from '../../shell/command-line.ts';
import type { Directory } from '../../shell/simple-command.ts';
import { type Finding, findings, strongest } from '../finding.ts';
import type { JudgeSteps } from '../git-step.ts';
import type { World } from '../world.ts';

/** Files that a shell reads when it starts: bash(1) "INVOCATION", zsh(1) "STARTUP/SHUTDOWN FILES", fish(1). */
const startupFiles =
  /^(?:\.bash(?:rc|_profile|_login|_aliases|_logout)|\.profile|\.z(?:shrc|shenv|profile|login)|\.kshrc|\.config\/fish\/config\.fish|\.envrc)$/;

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
  if (content === null || !startupFiles.test(name)) {
    return [];
  }
  const source = `shopt -s expand_aliases\n${content}\ngit commit`;
  const { steps } = readCommandLine(source, { cwd: cwd.kind === 'known' ? cwd.path : world.start, env: world.env });
  const stopped = (await judgeSteps(steps)).filter(({ verdict }) => verdict !== 'allow');
  const [worst] = stopped.filter(({ verdict }) => verdict === strongest(stopped));
  const { policy } = await world.conventionAt(cwd);
  return findings(
    'delayed-execution',
    policy,
    worst === undefined
      ? null
      : {
          message: `Every shell that starts would read this from ${path}. ${worst.message}`,
          evidence: { files: [path] },
          suggestion: null,
        },
  );
}
