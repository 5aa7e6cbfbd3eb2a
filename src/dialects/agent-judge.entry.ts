import { ownEnvironment } from '../git/runner.ts';
import { judgeCommandLine } from '../guards/evaluate.ts';
import { agentConfiguration, agentConvention } from './agent-convention.ts';
import { runAgentHook } from './agent-hook.ts';

/** An agent may have started the hook in a directory that is gone; the payload names the one that counts. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

void runAgentHook(process.argv.slice(2), {
  env: ownEnvironment(),
  cwd: workingDirectory(),
  judge: ({ command, cwd, env }) => judgeCommandLine(command, { cwd, env, convention: agentConvention }),
  checkpoints: async (repository) => (await agentConfiguration(repository)).agent.checkpoints,
});
