import { cac, type Command as Declared } from 'cac';
import { ExitCode, OxideError } from '../errors.ts';
import { nearest } from '../nearest.ts';
import { quoteCommand } from '../quote.ts';
import { type Console, processConsole } from '../ui/console.ts';
import { fittedLines } from '../ui/fitted-lines.ts';
import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { foreignError } from './foreign-error.ts';
import { asksForHelp, readWords } from './given-words.ts';

/**
 * Runs one command line and sets the process's exit code.
 *
 * @param argv the words after `oxide-guard`
 */
export async function main(argv: readonly string[]): Promise<void> {
  const console = processConsole();
  let isSettled = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isHangup(error)) {
      return;
    }
    isSettled = true;
    // Whoever read it (head, a pager) has had enough; what was cut off must not pass for "nothing wrong" all the same.
    process.exit(error.code === 'EPIPE' ? ExitCode.failed : report(error, console));
  });
  process.stderr.on('error', (error) => isHangup(error) || process.exit(ExitCode.failed));
  // A configuration may be a program: one that ends the process, or never settles, must not pass for "nothing wrong".
  // A person who interrupts it knows.
  process.on('exit', (code) => {
    if (!isSettled && code !== ExitCode.interrupted) {
      process.exitCode = report(new Error('It ended before it was done. Does a configuration file end it?'), console);
    }
  });
  process.on('uncaughtException', (error) => {
    isSettled = true;
    process.exit(report(error, console));
  });
  try {
    process.exitCode = await run(argv, console);
  } catch (error) {
    process.exitCode = report(error, console);
  } finally {
    isSettled = true;
  }
}

/** The terminal is gone. SIGHUP ends the process, or the command ends by it what it has begun. */
function isHangup({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EIO';
}

async function run(argv: readonly string[], console: Console): Promise<ExitCode> {
  const [name] = argv;
  if (name === '--version' || name === '-v') {
    console.out(await (await import('./version.ts')).packageVersion());
    return ExitCode.fine;
  }
  if (name === 'help' && argv[1] !== undefined) {
    return run([argv[1], '--help'], console);
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.out(fittedLines(help(), process.stdout.columns));
    return ExitCode.fine;
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) {
    const meant = nearest(name, Object.keys(commands));
    throw new OxideError('unknown-command', `There is no command '${name}'.`, {
      remedy: meant === null ? 'oxide-guard --help' : quoteCommand(['oxide-guard', meant, ...argv.slice(1)]),
      exitCode: ExitCode.usage,
    });
  }
  return runCommand(await entry.load(), argv.slice(1), console);
}

async function runCommand(command: Command, words: readonly string[], console: Console): Promise<ExitCode> {
  const cli = cac('oxide-guard');
  command.register(cli, console);
  const [declared] = cli.commands as [Declared];
  if (asksForHelp(words)) {
    cli.help((sections) => [{ body: declared.description }, ...sections.slice(1)].map(tidied));
    declared.outputHelp();
    return ExitCode.fine;
  }
  const code: ExitCode | undefined = await declared.commandAction?.(...actionArguments(command, declared, words));
  return code ?? ExitCode.fine;
}

/** Each operand as the command has declared it, then the options. */
function actionArguments(command: Command, declared: Declared, words: readonly string[]): readonly unknown[] {
  if (declared.config.allowUnknownOptions === true) {
    return [words];
  }
  const { operands, options, forwarded } = readWords(declared, words, command.forwards === true);
  const given = declared.args.map(({ variadic }, index) => (variadic ? operands.slice(index) : operands[index]));
  return [...given, { ...options, '--': forwarded }];
}

/**
 * cac ends lines with a blank, and says `--no-x (default: true)`, which reads as if `--no-x` held without being given.
 */
function tidied<Section extends { readonly body: string }>(section: Section): Section {
  const body = section.body.replace(/(?<=^\s*--no-.*) \(default: true\)| +$/gm, '');
  return { ...section, body: fittedLines(body, process.stdout.columns) };
}

function help(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return ['Usage: oxide-guard COMMAND [OPTIONS]', '', ...lines, '', 'oxide-guard COMMAND --help tells more.'].join(
    '\n',
  );
}

function report(error: unknown, console: Console): ExitCode {
  const { colors } = console;
  const known = error instanceof OxideError ? error : foreignError(error);
  console.err(fittedLines(`${colors.red('oxide-guard:')} ${known.message}`, process.stderr.columns));
  if (known.remedy !== null) {
    console.err(`  ${colors.dim('→')} ${known.remedy}`);
  }
  if (process.env.OXIDE_GUARD_DEBUG === '1' && error instanceof Error) {
    console.err(error.stack ?? '');
  }
  return known.exitCode;
}
