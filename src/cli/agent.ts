import { type GuardedSession, type GuardedSessionOptions, openGuardedSession } from '../agent/guarded-session.ts';
import type { LoopEnd } from '../agent/loop.ts';
import { openMcpTools } from '../agent/mcp/tools.ts';
import { openModels } from '../agent/models/catalogue.ts';
import { createSandbox } from '../agent/sandbox/sandbox.ts';
import { listSessions, resumeSession, sessionsDirectory } from '../agent/session/store.ts';
import { applySession } from '../agent/session-apply.ts';
import { chosenModel, openChosenSession, sessionToGoOnWith } from '../agent/session-choice.ts';
import { sessionTools } from '../agent/session-tools.ts';
import { sessionConfiguration } from '../agent/trust/session-configuration.ts';
import { ExitCode } from '../errors.ts';
import { openRepository } from '../git/open-repository.ts';
import type { Console } from '../ui/console.ts';
import { permissionModes } from '../ui/permission.ts';
import { canDraw } from '../ui/tui/availability.ts';
import { agentControl } from './agent-control.ts';
import { plainFront, plainPrompts, type SessionFront } from './agent-front.ts';
import { type AgentCommandOptions, readOptions, usage } from './agent-options.ts';
import { outputFormats, sessionOutput } from './agent-output.ts';
import { elsewhere, promptsIn, whichSession } from './agent-sessions.ts';
import { terminalFront } from './agent-terminal.ts';
import { askForTrust } from './agent-trust.ts';
import type { Command } from './command.ts';
import type { GivenOptions } from './given-words.ts';

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
      .option('--json', 'The same as --output json')
      .option('--control', 'Give it the control plane’s tools: projects, sessions, schedules, … (agent.controlPlane)')
      .option('--virtual', 'Write no file until `agent apply`')
      .option('--trust', 'Let the folder’s own hooks, MCP servers and allowances take effect, this time')
      .option('--no-tui', 'Plain lines instead of the terminal UI')
      .action((prompt: readonly string[], options: GivenOptions) =>
        prompt[0] === 'apply' && prompt.length <= 2
          ? apply(prompt[1] ?? null, console)
          : run(readOptions(prompt, options), console),
      );
  },
};

async function run(options: AgentCommandOptions, console: Console): Promise<ExitCode> {
  const cwd = process.cwd();
  if (options.listsSessions) {
    throw whichSession(cwd);
  }
  const earlier = sessionToGoOnWith(options.session, cwd, process.env);
  if (earlier !== null && earlier.cwd !== cwd) {
    throw elsewhere(earlier);
  }
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
  const prompts = isDrawn ? null : await plainPrompts(options.prompt, console);
  const model = models.main.name;
  const stored = openChosenSession(options.session, earlier, { cwd, model, chosen }, process.env);
  const { mode, prompt } = options;
  const front =
    prompts === null
      ? await terminalFront({ repository, model, mode, prompt, history: promptsIn(stored.records) })
      : plainFront(sessionOutput(options.output, console), prompts, console);
  untold.forEach(front.output.notice);
  return workOn({ stored, repository, models, settings, convention }, front, options);
}

type Opened = Pick<GuardedSessionOptions, 'stored' | 'repository' | 'models' | 'settings' | 'convention'>;

/** Works on the prompts that come, with everything that a session needs besides, and closes it all. */
async function workOn(
  opened: Opened,
  front: SessionFront,
  { mode, maxTurns, control: wantsControl }: AgentCommandOptions,
): Promise<ExitCode> {
  const { settings, stored } = opened;
  const { person, questions, output } = front;
  const sandbox = createSandbox({ settings, onNotice: output.notice });
  const control = wantsControl || settings.controlPlane ? await agentControl(output.notice) : null;
  const mcp = await openMcpTools(settings.mcpServers, stored.header.cwd, process.env, output.notice);
  try {
    const session = await openGuardedSession({
      ...opened,
      env: process.env,
      mode,
      maxTurns: maxTurns ?? settings.maxTurns,
      tools: [...sessionTools, ...(control?.tools ?? []), ...mcp.tools],
      person,
      questions,
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
