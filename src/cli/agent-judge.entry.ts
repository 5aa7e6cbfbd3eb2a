import { agentConfiguration, agentConvention } from '../dialects/agent-convention.ts';
import { runAgentHook } from '../dialects/agent-hook.ts';
import { leftOutNotices } from '../dialects/foreign-programs.ts';
import { ownEnvironment } from '../git/runner.ts';
import { judgeCommandLine } from '../guards/evaluate.ts';
import { Repositories } from '../guards/simulation/repositories.ts';
import { runShortCheck } from './short-check.ts';

/** An agent may have started the hook in a directory that is gone; the payload names the one that counts. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

const [first, ...others] = process.argv.slice(2);
if (first === 'check') {
  void runShortCheck(others);
} else {
  const env = ownEnvironment();
  const repositories = new Repositories(Number.POSITIVE_INFINITY);
  void runAgentHook(process.argv.slice(2), {
    env,
    cwd: workingDirectory(),
    judge: ({ command, cwd }) =>
      judgeCommandLine(command, {
        cwd,
        env,
        convention: (repository) => agentConvention(repository, null),
        repositories,
      }),
    opened: (cwd) => repositories.open({ cwd, env }),
    checkpoints: async (repository) => (await agentConfiguration(repository, null)).agent.checkpoints,
    notices: leftOutNotices,
  });
}
