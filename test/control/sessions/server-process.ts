import { isAnswered, lastPrompt, stage } from './stage.ts';

/**
 * A process that runs sessions, to be killed: each runs a command in the background, then waits for a model that says
 * nothing. Prints the project's and the sessions' ids once all wait.
 *
 * Arguments: the stage's directory, and how many sessions.
 */
const [root = '', count = '1'] = process.argv.slice(2);
let waiting = 0;
const { sessions, project, spawn, message, until } = await stage({
  root,
  file: true,
  requireSandbox: false,
  limits: { max_sessions: null },
  speaker: async (request) => {
    if (lastPrompt(request) === 'before') {
      return 'Said before.';
    }
    if (!isAnswered(request)) {
      return [['Bash', { command: `bash -c 'sleep 1000; true' ${root}`, run_in_background: true }]];
    }
    waiting += 1;
    return new Promise(() => {});
  },
});
await sessions.begin();
const { projectId } = await project();
const ids: string[] = [];
for (let index = 0; index < Number(count); index += 1) {
  const { session } = await spawn(projectId, 'before', { newSession: true });
  await until(projectId, session.sessionId, 'idle');
  await message(projectId, 'work', { sessionId: session.sessionId });
  await message(projectId, 'after', { sessionId: session.sessionId });
  ids.push(session.sessionId);
}
while (waiting < Number(count)) {
  await new Promise((resolve) => setTimeout(resolve, 10));
}
process.stdout.write(`${JSON.stringify({ projectId, ids })}\n`);
