import type { GuardedSession } from '../agent/guarded-session.ts';
import { ExitCode } from '../errors.ts';
import { openRepository } from '../git/open-repository.ts';
import type { Repository } from '../git/repository.ts';
import { pasteable } from '../own-command.ts';
import type { PermissionMode } from '../ui/permission.ts';
import type { SessionStatus, TerminalUi } from '../ui/tui/front.ts';
import { clip, terminalLine } from '../ui/tui/terminal-text.ts';
import { hangUp, Interruption, type SessionFront } from './agent-front.ts';
import { reportText, type SessionOutput } from './agent-output.ts';

/** How long a turn may take to end after the person has quit, in milliseconds. */
const endingTime = 3000;

const endingSignals = ['SIGTERM', 'SIGHUP'] as const;

export interface TerminalFrontOptions {
  readonly repository: Repository | null;
  readonly model: string;
  readonly mode: PermissionMode;
  /** The first prompt; null: the person types it. */
  readonly prompt: string | null;
  /** Prompts of the session that goes on, oldest first. */
  readonly history: readonly string[];
}

/** The terminal UI. It stays for further prompts until the person quits. */
export async function terminalFront(options: TerminalFrontOptions): Promise<SessionFront> {
  const { repository, model, mode, prompt, history } = options;
  // Loaded only here: drawing takes more code than everything else.
  const { openTerminalUi } = await import('../ui/tui/terminal-ui.ts');
  const interruption = new Interruption();
  let session: GuardedSession | null = null;
  const status: SessionStatus = { ...(await branchStatus(repository)), model, tokens: 0, mode };
  /** A turn that does not end for its interruption must not keep the person. */
  const leave = () => {
    interruption.request();
    setTimeout(() => void ui.close().then(() => process.exit(ExitCode.interrupted)), endingTime).unref();
  };
  const ui = openTerminalUi(
    {
      interrupt: () => interruption.request(),
      changeMode: (changed) => session?.changeMode(changed),
      quit: leave,
    },
    {
      input: process.stdin,
      output: process.stdout,
      environment: process.env,
      status,
      history,
      ...(prompt === null ? {} : { firstPrompt: prompt }),
    },
  );
  const last = history.at(-1);
  if (last !== undefined) {
    const count = history.length === 1 ? '1 prompt' : `${history.length} prompts`;
    ui.notice(`The session goes on after ${count}. The last: ${clip(terminalLine(last), 200)}`);
  }
  let hasHungUp = false;
  const onSignal = (signal: NodeJS.Signals) => {
    hasHungUp ||= signal === 'SIGHUP';
    leave();
    void ui.close();
  };
  for (const signal of endingSignals) {
    process.on(signal, onSignal);
  }
  // Without a listener, drawing would end the process by this signal and leave the terminal in raw mode.
  process.on('SIGINT', ui.interrupt);
  let lastWords: string | null = null;
  const output: SessionOutput = {
    event: (event) => {
      ui.show(event);
      if (event.type === 'result' && event.stop_reason === 'interrupted' && !interruption.isRequested) {
        // A hook ended it, and says why.
        ui.notice(event.text);
      }
      const mayHaveMoved = event.type === 'result' || (event.type === 'tool_result' && event.name === 'Bash');
      if (mayHaveMoved && session !== null) {
        const { inputTokens, outputTokens } = session.report().total;
        ui.setStatus({ tokens: inputTokens + outputTokens });
        void branchStatus(repository).then((branch) => ui.setStatus(branch));
      }
    },
    notice: (text) => ui.notice(text),
    // The `result` event has told what happened.
    error: ({ remedy }) => remedy !== null && ui.notice(`→ ${remedy}`),
    report: (report, id) => {
      lastWords = pasteable(`${reportText(report)} · to go on: oxide-guard agent --resume ${id}`);
    },
  };
  return {
    person: ui.permissions,
    questions: ui.questions,
    output,
    prompts: typed(ui),
    interruption,
    attach: (attached) => {
      session = attached;
    },
    close: async () => {
      for (const signal of endingSignals) {
        process.off(signal, onSignal);
      }
      await ui.close();
      process.off('SIGINT', ui.interrupt);
      if (lastWords !== null) {
        process.stderr.write(`${lastWords}\n`);
      }
      if (hasHungUp) {
        hangUp();
      }
    },
  };
}

async function* typed(ui: TerminalUi): AsyncIterable<string> {
  for (let prompt = await ui.nextPrompt(); prompt !== null; prompt = await ui.nextPrompt()) {
    yield prompt;
  }
}

type BranchStatus = Pick<SessionStatus, 'branch' | 'ahead' | 'behind'>;

const unknown: BranchStatus = { branch: null, ahead: null, behind: null };

/** Where the branch stands now: facts are read anew, for the agent has worked in between. */
async function branchStatus(before: Repository | null): Promise<BranchStatus> {
  if (before === null) {
    return unknown;
  }
  try {
    const repository = await openRepository({ cwd: before.cwd, env: process.env });
    const head = await repository?.head();
    if (repository === null || head === undefined) {
      return unknown;
    }
    if (head.kind === 'detached') {
      return { ...unknown, branch: `detached at ${head.oid.slice(0, 7)}` };
    }
    const upstream = head.oid === null ? null : await repository.resolve(`${head.branch}@{upstream}`);
    const divergence = upstream === null || head.oid === null ? null : await repository.divergence(head.oid, upstream);
    return {
      branch: head.branch,
      ahead: divergence?.left.total ?? null,
      behind: divergence?.right.total ?? null,
    };
  } catch {
    return unknown;
  }
}
