import { join } from 'node:path';
import { openGuardedSession } from '../agent/guarded-session.ts';
import { noUsage } from '../agent/model.ts';
import { ReplayTurns } from '../agent/models/replay.ts';
import { nobodyToPermit } from '../agent/permissions.ts';
import { createSession, newSessionId } from '../agent/session/store.ts';
import { sessionTools } from '../agent/session-tools.ts';
import { defaultConfiguration } from '../config/configuration.ts';
import { openRepository } from '../git/open-repository.ts';
import type { Environment } from '../git/runner.ts';
import type { Console } from '../ui/console.ts';
import { nobodyToAsk } from '../ui/question.ts';
import { sessionOutput } from './agent-output.ts';
import { repositoryConvention } from './repository-convention.ts';

const bash = (id: string, text: string, command: string) => ({
  text,
  calls: [{ id, name: 'Bash', input: { command } }],
  usage: noUsage,
});

/** What the model said in the session that is replayed. */
const turns = [
  bash('1', 'I publish main; there is an alias for it.', 'git publish'),
  bash(
    '2',
    'Then on a branch of its own, for a pull request.',
    'git switch -c fresh-start && git push -u origin fresh-start',
  ),
  { text: 'It is on the branch fresh-start; main is untouched.', calls: [], usage: noUsage },
];

/**
 * Plays a session of the guarded agent in a repository with an alias `publish` that force-pushes main: in the mode that
 * asks nobody, so that only the guard is left.
 *
 * @param place a directory for the session's transcript
 */
export async function playAgent(work: string, place: string, env: Environment, console: Console): Promise<void> {
  const told: Console = {
    ...console,
    out: (text) => console.out(`  ${text}`),
    err: (text) => console.out(`  ${text}`),
  };
  const output = sessionOutput('text', told, (text) => {
    if (text.trim() !== '') {
      told.out(text);
    }
  });
  const model = new ReplayTurns('the demo', turns).model('a replayed model');
  const stored = createSession(join(place, 'sessions'), {
    type: 'session',
    version: 1,
    id: newSessionId(),
    cwd: work,
    created: new Date().toISOString(),
    mode: 'disk',
    model: model.name,
  });
  const session = await openGuardedSession({
    stored,
    repository: await openRepository({ cwd: work, env }),
    env,
    models: { main: model, open: () => model },
    settings: { ...defaultConfiguration.agent, checkpoints: false },
    mode: 'bypass',
    maxTurns: turns.length,
    tools: sessionTools,
    convention: (repository) => repositoryConvention(repository, work),
    person: nobodyToPermit('this is a demo'),
    questions: nobodyToAsk('this is a demo'),
    // The remote lies beside the work tree, where the sandbox would let nothing be written.
    sandbox: null,
    emit: output.event,
    notify: output.notice,
  });
  try {
    await session.prompt('Publish the new start', new AbortController().signal);
  } finally {
    await session.close('completed');
  }
}
