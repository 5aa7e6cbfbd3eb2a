import { rmSync } from 'node:fs';
import type { CAC } from 'cac';
import { type GuardedSession, openGuardedSession } from '../agent/guarded-session.ts';
import type { LoopEnd } from '../agent/loop.ts';
import { openMcpTools } from '../agent/mcp/tools.ts';
import { openModels } from '../agent/models/catalogue.ts';
import { createSandbox } from '../agent/sandbox/sandbox.ts';
import { listSessions, resumeSession, sessionsDirectory } from '../agent/session/store.ts';
import { applySession } from '../agent/session-apply.ts';
import { chosenModel, openChosenSession, type SessionChoice, sessionToGoOnWith } from '../agent/session-choice.ts';
import { sessionTools } from '../agent/session-tools.ts';
import { sessionConfiguration } from '../agent/trust/session-configuration.ts';
import { ExitCode, OxideError } from '../errors.ts';
import { openRepository } from '../git/open-repository.ts';
import type { Console } from '../ui/console.ts';
import { type PermissionMode, permissionModes } from '../ui/permission.ts';
import { canDraw } from '../ui/tui/availability.ts';
import { agentControl } from './agent-control.ts';
import { plainFront, plainPrompts, type SessionFront } from './agent-front.ts';
import { type OutputFormat, outputFormats, sessionOutput } from './agent-output.ts';
import { elsewhere, promptsIn, whichSession } from './agent-sessions.ts';
import { terminalFront } from './agent-terminal.ts';
import { askForTrust } from './agent-trust.ts';
import type { Command } from './command.ts';
import { textOption } from './text-option.ts';

export const agent: Command = {
  register(cli, console) {
    cli
      .command(
        'agent [...prompt]',
        'Work with a guarded coding agent; `agent apply [ID]` writes a virtual session’s files',
      )
      .option('--model <name>', 'A model, or an alias of the configuration')
      .option('--provider <name>', 'anthropic, openai-compatible, or replay:FILE')
      .option('--base-url <url>', 'Where the provider is')
      .option('--resume [id]', 'Go on with a session; without an id, list them')
      .option('--continue', 'Go on with the session used last in this directory')
      .option('--fork', 'With --resume or --continue: go on in a copy')
      .option('--permission-mode <mode>', `${permissionModes.join(', ')}; the guard holds in all`)
      .option('--max-turns <n>', 'Turns of the model for one prompt')
      .option('--output <format>', outputFormats.join(', '))
      .option('--control', 'Give it the control plane’s tools: projects, sessions, schedules, … (agent.controlPlane)')
      .option('--virtual', 'Write no file until `agent apply`')
      .option('--trust', 'Let the folder’s own hooks, MCP servers and allowances take effect, this time')
      .option('--no-tui', 'Plain lines instead of the terminal UI')
      .action((prompt: readonly string[], options: Readonly<Record<string, unknown>>) =>
        prompt[0] === 'apply' && prompt.length <= 2
          ? apply(prompt[1] ?? null, console)
          : run(readOptions(cli, prompt, options), console),
      );
  },
};

interface AgentCommandOptions {
  readonly prompt: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly baseUrl: string | null;
  readonly session: SessionChoice;
  /** `--resume` without an id. */
  readonly listsSessions: boolean;
  readonly mode: PermissionMode;
  readonly maxTurns: number | null;
  readonly output: OutputFormat;
  /** False: plain lines although there is a terminal. */
  readonly tui: boolean;
  readonly trusts: boolean;
  /** The control plane's tools, whatever the configuration says. */
  readonly control: boolean;
}

function readOptions(
  cli: CAC,
  words: readonly string[],
  options: Readonly<Record<string, unknown>>,
): AgentCommandOptions {
  const value = (name: string) => textOption(cli.rawArgs, name);
  if (words.length > 0 && words.every((word) => word.trim() === '')) {
    throw usage('The prompt is empty.');
  }
  refuseContradictions(options);
  const resume = typeof options.resume === 'string' || typeof options.resume === 'number' ? value('resume') : null;
  return {
    prompt: words.length === 0 ? null : words.join(' '),
    model: value('model'),
    provider: value('provider'),
    baseUrl: value('base-url'),
    session: {
      resume,
      continue: options.continue === true,
      fork: options.fork === true,
      virtual: options.virtual === true,
    },
    listsSessions: options.resume === true,
    mode: oneOf('permission-mode', permissionModes, value('permission-mode') ?? 'default'),
    maxTurns: turnLimit(value('max-turns')),
    output: oneOf('output', outputFormats, value('output') ?? 'text'),
    tui: options.tui !== false,
    trusts: options.trust === true || process.env.OXIDE_GUARD_TRUST === '1',
    control: options.control === true,
  };
}

/** Words that would be passed over in silence say something else than what would happen. */
function refuseContradictions({ resume, continue: goesOn, fork, virtual }: Readonly<Record<string, unknown>>): void {
  if (fork === true && resume === undefined && goesOn !== true) {
    throw usage('--fork needs a session to copy: --continue or --resume ID.');
  }
  if (resume !== undefined && goesOn === true) {
    throw usage('--resume and --continue name two sessions; give one of them.');
  }
  if (virtual === true && (resume !== undefined || goesOn === true)) {
    throw usage('--virtual is for new sessions; one that goes on stays as it began.');
  }
}

function oneOf<Choice extends string>(option: string, choices: readonly Choice[], value: string): Choice {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) {
    throw usage(`--${option} '${value}' is none of ${choices.join(', ')}.`);
  }
  return found;
}

function turnLimit(value: string | null): number | null {
  if (value !== null && !/^[1-9]\d*$/.test(value)) {
    throw usage(`--max-turns '${value}' is no number of turns.`);
  }
  return value === null ? null : Number(value);
}

function usage(message: string): OxideError {
  return new OxideError('usage', message, { remedy: 'oxide-guard agent --help', exitCode: ExitCode.usage });
}

async function run(options: AgentCommandOptions, console: Console): Promise<ExitCode> {
  const cwd = process.cwd();
  if (options.listsSessions) {
    throw whichSession(cwd);
  }
  const earlier = sessionToGoOnWith(options.session, cwd, process.env);
  const chosen = chosenModel(options, earlier?.chosen);
  const repository = await openRepository({ cwd, env: process.env });
  const untold: string[] = [];
  const { settings, convention } = await sessionConfiguration(repository, {
    env: process.env,
    trusts: options.trusts,
    ask: (question) => askForTrust(question, console),
    notify: (text) => untold.push(text),
  });
  const models = await openModels(chosen, settings, process.env, cwd);
  const isDrawn = options.tui && options.output === 'text' && canDraw(process.stdin, process.stdout, process.env);
  const asked = isDrawn ? null : await plainPrompts(options.prompt, console);
  const stored = openChosenSession(options.session, earlier, { cwd, model: models.main.name, chosen }, process.env);
  if (stored.header.cwd !== cwd) {
    stored.close();
    if (options.session.fork) {
      // The copy that nobody can go on with.
      rmSync(stored.directory, { recursive: true, force: true });
    }
    throw elsewhere(stored.header);
  }
  const { mode } = options;
  const front =
    asked === null
      ? await terminalFront({
          repository,
          model: models.main.name,
          mode,
          prompt: options.prompt,
          history: promptsIn(stored.records),
        })
      : plainFront(sessionOutput(options.output, console), asked, console);
  const { output } = front;
  untold.forEach(output.notice);
  const sandbox = createSandbox({ settings, onNotice: output.notice });
  const control = options.control || settings.controlPlane ? await agentControl(output.notice) : null;
  const mcp = await openMcpTools(settings.mcpServers, cwd, process.env, output.notice);
  try {
    const session = await openGuardedSession({
      stored,
      repository,
      env: process.env,
      models,
      settings,
      mode,
      maxTurns: options.maxTurns ?? settings.maxTurns,
      tools: [...sessionTools, ...(control?.tools ?? []), ...mcp.tools],
      convention,
      person: front.person,
      questions: front.questions,
      sandbox,
      emit: output.event,
      notify: output.notice,
    });
    return await converse(session, front);
  } finally {
    mcp.close();
    sandbox.dispose();
    await control?.close();
    await front.close();
  }
}

async function converse(session: GuardedSession, front: SessionFront): Promise<ExitCode> {
  const { output } = front;
  let code: ExitCode = ExitCode.fine;
  let reason = 'completed';
  front.attach(session);
  try {
    for await (const prompt of front.prompts) {
      const end = await session.prompt(prompt, front.interruption.signal());
      if (end.error !== null) {
        output.error(end.error);
      }
      code = exitCodes[end.stop];
      reason = end.stop;
    }
    output.report(session.report(), session.id);
  } finally {
    await session.close(reason);
  }
  return code;
}

const exitCodes: Readonly<Record<LoopEnd['stop'], ExitCode>> = {
  end_turn: ExitCode.fine,
  max_turns: ExitCode.maxTurns,
  interrupted: ExitCode.interrupted,
  error: ExitCode.failed,
};

/** Writes what a virtual session made; without an id, the virtual one used last in this directory. */
function apply(id: string | null, console: Console): ExitCode {
  const root = sessionsDirectory(process.env);
  const wanted = id ?? listSessions(root, process.cwd()).find(({ mode }) => mode === 'virtual')?.id;
  if (wanted === undefined) {
    throw usage(`There is no virtual session of ${process.cwd()} to apply.`);
  }
  const stored = resumeSession(root, wanted);
  try {
    if (stored.header.mode === 'disk') {
      console.out(`The session ${stored.header.id} is not virtual: what it wrote is on the disk.`);
      return ExitCode.fine;
    }
    const files = applySession(stored);
    for (const { path, version, state } of files) {
      console.out(`${console.colors.green('✓')} ${path} (version ${version}${state === 'same' ? ', as it was' : ''})`);
    }
    if (files.length === 0) {
      console.out('Nothing waits to be written.');
    }
    return ExitCode.fine;
  } finally {
    stored.close();
  }
}
