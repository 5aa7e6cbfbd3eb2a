import { ExitCode } from '../errors.ts';
import { type UninstalledHook, uninstall as uninstallHooks } from '../githooks/uninstall.ts';
import type { Console } from '../ui/console.ts';
import { printAgents, uninstallAgents } from './agent-hooks.ts';
import type { Command } from './command.ts';
import { shownPath } from './shown-path.ts';

interface Options {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export const uninstall: Command = {
  register(cli, console) {
    cli
      .command('uninstall', "Take the guard's hooks away and put back what was there")
      .option('--dry-run', 'Say what would be done, and do nothing')
      .option('--json', 'Print one JSON document')
      .action((options: Options) => runUninstall(options, console));
  },
};

async function runUninstall(options: Options, console: Console): Promise<ExitCode> {
  const dryRun = options.dryRun === true;
  const hooks = await uninstallHooks({ cwd: process.cwd(), env: process.env, dryRun });
  const agents = await uninstallAgents(dryRun);
  const code = agents.some(({ change }) => change === 'failed') ? ExitCode.failed : ExitCode.fine;
  if (options.json === true) {
    console.out(JSON.stringify({ dryRun, hooks, agents }, null, 2));
    return code;
  }
  if (hooks.length + agents.length === 0) {
    console.out('There is no hook of the guard here.');
  }
  for (const hook of hooks) {
    console.out(`${console.colors.green(dryRun ? '·' : '✓')} ${sentence(hook, dryRun)}`);
    if (hook.note !== null) {
      console.out(`  ${hook.note}`);
    }
  }
  printAgents(agents, dryRun, console);
  return code;
}

function sentence({ path: place, change }: UninstalledHook, dryRun: boolean): string {
  const path = shownPath(place);
  const would = dryRun ? 'would be ' : '';
  switch (change) {
    case 'removed':
      return `${path} ${would}removed`;
    case 'restored':
      return `${path} ${would}put back as it was`;
    case 'absent':
      return `there is no ${path}`;
    case 'left':
      return `${path} ${dryRun ? 'would stay' : 'stays'} as it is`;
  }
}
