import { agentRefuses } from '../dialects/agent-refuses.ts';
import { ExitCode } from '../errors.ts';
import { gitVersion } from '../githooks/checks/git-version.ts';
import { hookInstalled, worktreesCovered } from '../githooks/checks/hook-installed.ts';
import { hookRefuses } from '../githooks/checks/hook-refuses.ts';
import { configurationValid, protectedBranches } from '../githooks/checks/settings.ts';
import { type Check, type Diagnosis, diagnose } from '../githooks/doctor.ts';
import type { Console } from '../ui/console.ts';
import { fittedLines } from '../ui/fitted-lines.ts';
import type { Command } from './command.ts';

/** Every check, in the order in which it is shown. */
const checks: readonly Check[] = [
  gitVersion,
  hookInstalled,
  worktreesCovered,
  hookRefuses,
  configurationValid,
  protectedBranches,
  agentRefuses,
];

interface Options {
  readonly json?: boolean;
}

export const doctor: Command = {
  register(cli, console) {
    cli
      .command('doctor', "Examine this repository's guard: is it there, is it reached, does it refuse?")
      .option('--json', 'Print one JSON document')
      .action((options: Options) => runDoctor(options, console));
  },
};

async function runDoctor(options: Options, console: Console): Promise<ExitCode> {
  const diagnoses = await diagnose(checks, process.cwd(), process.env);
  const isSound = diagnoses.every(({ status }) => status !== 'failure');
  if (options.json === true) {
    console.out(JSON.stringify({ ok: isSound, checks: diagnoses }, null, 2));
  } else {
    for (const diagnosis of diagnoses) {
      print(diagnosis, console);
    }
  }
  return isSound ? ExitCode.fine : ExitCode.failed;
}

function print({ status, message, remedy }: Diagnosis, { out, colors }: Console): void {
  const symbols = { fine: colors.green('✓'), warning: colors.yellow('!'), failure: colors.red('✗') };
  out(fittedLines(`${symbols[status]} ${message}`, process.stdout.columns));
  if (remedy !== null) {
    out(`  ${colors.dim('→')} ${remedy}`);
  }
}
