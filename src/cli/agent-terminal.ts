import type { GuardedSession } from '../agent/guarded-session.ts';
import { openRepository } from '../git/open-repository.ts';
import type { Repository } from '../git/repository.ts';
import type { PermissionMode } from '../ui/permission.ts';
import type { SessionStatus, TerminalUi } from '../ui/tui/front.ts';
import { Interruption, type SessionFront } from './agent-front.ts';
import { reportText, type SessionOutput } from './agent-output.ts';

export interface TerminalFrontOptions {
  readonly repository: Repository | null;
  readonly model: string;
  readonly mode: PermissionMode;
  /** The first prompt; null: the person types it. */
  readonly prompt: string | null;
}

/** The terminal UI. It stays for further prompts until the person quits. */
export async function terminalFront({ repository, model, mode, prompt }: TerminalFrontOptions): Promise<SessionFront> {
  // Loaded only here: drawing takes more code than everything else.
  const { openTerminalUi } = await import('../ui/tui/terminal-ui.ts');
  const interruption = new Interruption();
  let session: GuardedSession | null = null;
  const status: SessionStatus = { ...(await branchStatus(repository)), model, tokens: 0, mode };
  const ui = openTerminalUi(
    {
      interrupt: () => interruption.request(),
      changeMode: (changed) => session?.changeMode(changed),
      quit: () => interruption.request(),
    },
    {
      input: process.stdin,
      output: process.stdout,
      environment: process.env,
      status,
      ...(prompt === null ? {} : { firstPrompt: prompt }),
    },
  );
  let lastWords: string | null = null;
  const output: SessionOutput = {
    event: (event) => {
      ui.show(event);
      if (event.type === 'result' && session !== null) {
        const { inputTokens, outputTokens } = session.report().total;
        ui.setStatus({ tokens: inputTokens + outputTokens });
        void branchStatus(repository).then((branch) => ui.setStatus(branch));
      }
    },
    notice: (text) => ui.notice(text),
    error: ({ message, remedy }) => ui.notice(remedy === null ? message : `${message}\n→ ${remedy}`),
    report: (report, id) => {
      lastWords = `${reportText(report)} · oxide-guard agent --resume ${id}`;
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
      await ui.close();
      if (lastWords !== null) {
        process.stderr.write(`${lastWords}\n`);
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
    if (repository === null || head?.kind !== 'branch') {
      return unknown;
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
