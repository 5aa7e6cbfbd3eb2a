import { agentNames } from '../dialects/dialect.ts';
import { ExitCode, OxideError } from '../errors.ts';
import { hookNames } from '../githooks/hook-name.ts';
import type { Command } from './command.ts';

/**
 * What is called wrongly or asks for help: `bin/oxide-guard.js` hands hooks and agents that it knows to bundles of their
 * own, without loading the command line.
 */
export const hook: Command = {
  actions: hookNames,
  register(cli) {
    cli
      .command('hook [name] [...arguments]', "What git's hooks and agents start; reads standard input as theirs do")
      .option('--agent <name>', `Answer an agent: ${agentNames.join(', ')}`)
      .usage('hook commit-msg FILE | pre-push REMOTE URL | pre-receive | update REF OLD NEW | --agent NAME')
      .action((name: string | undefined) => {
        throw new OxideError(
          'unknown-hook',
          name === undefined ? 'No hook was named.' : `The guard has no program for a hook named '${name}'.`,
          {
            remedy: `Choose from: ${hookNames.join(', ')}, --agent NAME`,
            exitCode: ExitCode.usage,
          },
        );
      });
  },
};
